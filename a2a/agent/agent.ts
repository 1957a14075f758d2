import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { RequestGuard } from "../../src/contract/authenticate.ts";
import type { Services } from "../../src/contract/call.ts";
import type { Executor } from "../../src/contract/executor.ts";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import type { Log } from "../../src/surfaces/http-server/log.ts";
import type { A2aMethods } from "../methods.ts";
import { findTask } from "./access.ts";
import { cancelTask } from "./cancel.ts";
import { followed, waitUntilOver } from "./follow.ts";
import { Sending } from "./inbox.ts";
import { listTasks } from "./list.ts";
import { inText, readsTextOnly } from "./output-modes.ts";
import { taskOf } from "./present.ts";
import { type Every, everyInterval, Watch } from "./task-poller.ts";

export interface AgentParts {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: Log;
  /** How the tasks that are followed are looked at again. */
  readonly every?: Every;
}

/** Beckon as an agent of A2A 1.0: what each method does. */
export function a2aMethods(parts: AgentParts): A2aMethods {
  const { services, guard, log, every = everyInterval } = parts;
  const { config } = services;
  const sending = new Sending(parts);
  const watch = new Watch({ ...services, log, every });
  const desk = { watch, guard, services };

  return {
    async sendMessage({ message, configuration = {} }, call) {
      const spoken = await sending.send(message, call);
      const shown = readsTextOnly(configuration) ? inText : same;
      if ("message" in spoken) return shown(spoken);
      const { historyLength, returnImmediately = false } = configuration;
      const mayWait = spoken.isNew && !returnImmediately;
      const record = mayWait ? await waitUntilOver(desk, spoken.record, call) : spoken.record;
      return shown({ task: taskOf(record, config, { historyLength }) });
    },

    async *streamMessage({ message, configuration = {} }, call) {
      const spoken = await sending.send(message, call);
      const shown = readsTextOnly(configuration) ? inText : same;
      if ("message" in spoken) yield shown(spoken);
      else for await (const event of followed(desk, spoken.record, call, configuration)) yield shown(event);
    },

    async getTask({ id, historyLength }, { admission, caller }) {
      const record = await findTask(services, guard.requireCredential(admission, caller), id);
      return taskOf(record, config, { historyLength });
    },

    async listTasks(request, { admission, caller }) {
      return listTasks(services, guard.requireCredential(admission, caller), request);
    },

    async cancelTask({ id }, call) {
      return taskOf(await cancelTask(parts, call, id), config);
    },

    async *subscribe({ id }, call) {
      const record = await findTask(services, guard.requireCredential(call.admission, call.caller), id);
      refuseOver(record);
      yield* followed(desk, record, call, { untilOver: true });
    },
  };
}

function same<T>(value: T): T {
  return value;
}

function refuseOver({ task }: TaskRecord): void {
  if (!isTerminal(task.state)) return;
  throw new UnsupportedOperationError("The task is over, and nothing follows. GetTask answers it.");
}

import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import { type RunEvery, runEvery } from "../../src/platform/run-every.ts";
import type { A2aCall, A2aMethods } from "../methods.ts";
import type { SendMessageRequest } from "../wire.ts";
import { findTask } from "./access.ts";
import { cancelTask } from "./cancel.ts";
import type { AgentDeps } from "./deps.ts";
import { followTask, waitUntilOver } from "./follow.ts";
import { Inbox } from "./inbox.ts";
import { listTasks } from "./list.ts";
import { inText, readsTextOnly } from "./output-modes.ts";
import { taskOf } from "./present.ts";
import { PushConfigs } from "./push-configs.ts";
import { TaskPoller } from "./task-poller.ts";

/**
 * Beckon as an agent of A2A 1.0: what each method does.
 * @param every replaces the timer of the task poller, in tests
 */
export function a2aMethods(deps: AgentDeps, every: RunEvery = runEvery): A2aMethods {
  const { services, guard, streams, log } = deps;
  const { config } = services;
  const inbox = new Inbox(deps);
  const poller = new TaskPoller({ ...services, log, every });
  const follow = { poller, streams, services };
  const pushConfigs = new PushConfigs(deps);
  /**
   * A message is not handled if its notifications cannot be sent as it wants. A message that is sent again finds what
   * it has made.
   */
  const handle = async ({ message, configuration }: SendMessageRequest, call: A2aCall) => {
    const wanted = configuration?.taskPushNotificationConfig;
    const push = wanted && (await pushConfigs.check(wanted, call));
    const result = await inbox.handle(message, call);
    const { protocol } = call;
    if (push && "record" in result) await pushConfigs.save(push, { taskId: result.record.task.id, protocol });
    return result;
  };

  return {
    async sendMessage(request, call) {
      const { configuration = {} } = request;
      const result = await handle(request, call);
      const encode = readsTextOnly(configuration) ? inText : same;
      if ("message" in result) return encode(result);
      const { historyLength, returnImmediately = false } = configuration;
      const mayWait = result.isNew && !returnImmediately;
      const record = mayWait ? await waitUntilOver(follow, result.record, call) : result.record;
      return encode({ task: taskOf(record, config, { historyLength }) });
    },

    async *streamMessage(request, call) {
      const { configuration = {} } = request;
      const result = await handle(request, call);
      const encode = readsTextOnly(configuration) ? inText : same;
      if ("message" in result) yield encode(result);
      else for await (const event of followTask(follow, result.record, call, configuration)) yield encode(event);
    },

    async getTask({ id, historyLength }, { admission, caller }) {
      const record = await findTask(services, guard.requireCredential(admission, caller), id);
      return taskOf(record, config, { historyLength });
    },

    async listTasks(request, { admission, caller }) {
      return listTasks(services, guard.requireCredential(admission, caller), request);
    },

    async cancelTask({ id }, call) {
      return taskOf(await cancelTask(deps, call, id), config);
    },

    async *subscribe({ id }, call) {
      const record = await findTask(services, guard.requireCredential(call.admission, call.caller), id);
      refuseOver(record);
      yield* followTask(follow, record, call, { untilOver: true });
    },

    createPushConfig: (request, call) => pushConfigs.createPushConfig(request, call),
    getPushConfig: (request, call) => pushConfigs.getPushConfig(request, call),
    listPushConfigs: (request, call) => pushConfigs.listPushConfigs(request, call),
    deletePushConfig: (request, call) => pushConfigs.deletePushConfig(request, call),
  };
}

function same<T>(value: T): T {
  return value;
}

function refuseOver({ task }: TaskRecord): void {
  if (!isTerminal(task.state)) return;
  throw new UnsupportedOperationError("The task has ended, and there are no more updates. Read it with GetTask.");
}

import type { RequestGuard } from "../../src/contract/authenticate.ts";
import type { Services } from "../../src/contract/call.ts";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import { isTerminal, TASK } from "../../src/domain/tasks/states.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { A2aCall } from "../methods.ts";
import type { StreamResponse } from "../wire.ts";
import { endOf, statusUpdate, taskOf } from "./present.ts";
import type { Follower } from "./subscriber.ts";
import type { Watch } from "./task-poller.ts";

export interface Desk {
  readonly watch: Watch;
  readonly guard: RequestGuard;
  readonly services: Services;
}

/** Looks, a second each, for which a request that is not streamed waits for its task. */
const LONGEST_WAIT = 60;

/**
 * The events of a task: as it stands, every change that its reader is quick enough for, and its end. They also end when
 * the reader has gone, or its credential is good no more; and when the task waits for input (section 3.1.2), but for who
 * has subscribed to the whole of it (`untilOver`, section 3.1.6).
 * @throws Refusal rate_limited, unavailable
 */
export async function* followed(
  desk: Desk,
  record: TaskRecord,
  call: A2aCall,
  { historyLength, untilOver = false }: { readonly historyLength?: number; readonly untilOver?: boolean } = {},
): AsyncGenerator<StreamResponse> {
  const { config } = desk.services;
  const goesOn = untilOver ? !isTerminal(record.task.state) : record.task.state === TASK.working;
  const slot = goesOn ? desk.watch.open(record, followerOf(desk, record, call)) : null;
  try {
    yield { task: taskOf(record, config, { historyLength }) };
    for (let now = await slot?.next(); now; now = await slot!.next()) {
      if (isTerminal(now.task.state)) yield* endOf(now, config);
      else yield statusUpdate(now, config);
    }
  } finally {
    slot?.end();
  }
}

/**
 * Waits for a task to be over, as a request does that is not streamed (section 3.2.2). A project takes weeks and no
 * connection lasts as long, so that after a minute the task is answered as it stands, working.
 */
export async function waitUntilOver(desk: Desk, record: TaskRecord, call: A2aCall): Promise<TaskRecord> {
  if (record.task.state !== TASK.working) return record;
  const slot = slotOrNull(desk, record, { ...followerOf(desk, record, call), patience: LONGEST_WAIT });
  if (!slot) return record;
  try {
    for (let now = await slot.next(); now; now = await slot.next()) {
      if (isTerminal(now.task.state)) return now;
    }
  } finally {
    slot.end();
  }
  const { accountId, id } = record.task;
  return (await taskById(desk.services.db, accountId, id)) ?? record;
}

/** Who cannot wait is answered at once. */
function slotOrNull({ watch }: Desk, record: TaskRecord, follower: Follower) {
  try {
    return watch.open(record, follower);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}

function followerOf({ guard }: Desk, { task }: TaskRecord, { signal, caller }: A2aCall): Follower {
  return { accountId: task.accountId, signal, isKnown: () => guard.hasValidCredential(caller) };
}

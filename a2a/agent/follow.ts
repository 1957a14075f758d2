import type { Services } from "../../src/contract/call.ts";
import type { OpenStreams } from "../../src/contract/open-streams.ts";
import { type TaskRecord, taskById } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { A2aCall } from "../methods.ts";
import { skillOf } from "../skills.ts";
import type { StreamResponse } from "../wire.ts";
import { finalEvents, statusUpdate, taskOf } from "./present.ts";
import type { SubscriberOptions } from "./subscriber.ts";
import type { TaskPoller } from "./task-poller.ts";

export interface FollowDeps {
  readonly poller: TaskPoller;
  readonly streams: OpenStreams;
  readonly services: Services;
}

/** How many polls, one a second, a request that is not streamed waits for its task. */
const MAX_WAIT_POLLS = 60;

/**
 * The events of a task: the task itself, a status update for each change, and its final events. A slow reader gets the
 * latest change only. The events also end when the reader has gone, when its credential is no longer valid, and when
 * the task waits for input (section 3.1.2), unless the reader has subscribed to the whole task (`untilOver`, section
 * 3.1.6).
 * @throws Refusal rate_limited, unavailable
 */
export async function* followTask(
  deps: FollowDeps,
  record: TaskRecord,
  call: A2aCall,
  { historyLength, untilOver = false }: { readonly historyLength?: number; readonly untilOver?: boolean } = {},
): AsyncGenerator<StreamResponse> {
  const { config } = deps.services;
  const goesOn = untilOver ? !isTerminal(record.task.state) : record.task.state === "working";
  const subscriber = goesOn ? deps.poller.subscribe(record, subscriberOptions(record, call)) : null;
  const leave = subscriber && deps.streams.add(streamCaller(record, call), subscriber.end);
  try {
    yield { task: taskOf(record, config, { historyLength }) };
    for (let now = await subscriber?.next(); now; now = await subscriber!.next()) {
      if (isTerminal(now.task.state)) yield* finalEvents(now, config);
      else yield statusUpdate(now, config);
    }
  } finally {
    leave?.();
    subscriber?.end();
  }
}

/**
 * Waits until a task is over, for a request that is not streamed (section 3.2.2). A project takes weeks, and no
 * connection lasts that long. After a minute the answer is the task in its present state.
 */
export async function waitUntilOver(deps: FollowDeps, record: TaskRecord, call: A2aCall): Promise<TaskRecord> {
  if (record.task.state !== "working") return record;
  const options = { ...subscriberOptions(record, call), maxPolls: MAX_WAIT_POLLS };
  const subscriber = subscribeOrNull(deps, record, options);
  if (!subscriber) return record;
  const leave = deps.streams.add(streamCaller(record, call), subscriber.end);
  try {
    for (let now = await subscriber.next(); now; now = await subscriber.next()) {
      if (isTerminal(now.task.state)) return now;
    }
  } finally {
    leave();
    subscriber.end();
  }
  const { accountId, id } = record.task;
  return (await taskById(deps.services.db, accountId, id)) ?? record;
}

/** Null if too many streams are open. The task is then answered without waiting. */
function subscribeOrNull({ poller }: FollowDeps, record: TaskRecord, options: SubscriberOptions) {
  try {
    return poller.subscribe(record, options);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}

/** A task is told to whoever may call its skill. */
function streamCaller({ task }: TaskRecord, { caller }: A2aCall) {
  return { ...caller, scopes: skillOf(task.skill)?.scopes ?? [] };
}

function subscriberOptions({ task }: TaskRecord, { signal }: A2aCall): SubscriberOptions {
  return { accountId: task.accountId, signal };
}

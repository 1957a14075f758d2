import { presentProject } from "../../src/contract/shapes/project.ts";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import type { TaskState } from "../../src/domain/tasks/states.ts";
import { iso } from "../../src/platform/clock.ts";
import type { Config } from "../../src/platform/config/config.ts";
import { WATCH_PROJECT } from "../skills.ts";
import type { Artifact, Message, StreamResponse, Task, TaskStatus, WireState } from "../wire.ts";
import { dataPart } from "./outcome.ts";
import { paidMetadata } from "./payment.ts";
import { notesOf } from "./task-notes.ts";

/** The state as a task keeps it: `working` for `TASK_STATE_WORKING`. */
export function keptState(state: WireState): TaskState {
  return state.slice("TASK_STATE_".length).toLowerCase() as TaskState;
}

export interface PresentOptions {
  /** Most messages of the history; absent: all that were kept. */
  readonly historyLength?: number | undefined;
  /** Whether the artifacts are included; default: true. */
  readonly artifacts?: boolean;
}

/** A task in the form of the protocol (section 4.1.1). */
export function taskOf(
  record: TaskRecord,
  config: Config,
  { historyLength, artifacts = true }: PresentOptions = {},
): Task {
  const { id, contextId, history } = record.task;
  const messages = JSON.parse(history) as Message[];
  const shown = historyLength === undefined ? messages : historyLength === 0 ? [] : messages.slice(-historyLength);
  const results = artifacts ? artifactsOf(record, config) : [];
  return {
    id,
    contextId,
    status: statusOf(record, config),
    ...(results.length > 0 ? { artifacts: results } : {}),
    ...(shown.length > 0 ? { history: shown } : {}),
  };
}

/** The event of a change in a task that goes on. */
export function statusUpdate(record: TaskRecord, config: Config): StreamResponse {
  const { id: taskId, contextId } = record.task;
  return { statusUpdate: { taskId, contextId, status: statusOf(record, config) } };
}

/** The events of a task's end: its artifacts, then its last status. */
export function finalEvents(record: TaskRecord, config: Config): StreamResponse[] {
  const { id: taskId, contextId } = record.task;
  const artifacts = artifactsOf(record, config).map((artifact) => ({
    artifactUpdate: { taskId, contextId, artifact, lastChunk: true },
  }));
  return [...artifacts, statusUpdate(record, config)];
}

function statusOf(record: TaskRecord, config: Config): TaskStatus {
  const { state, stateAt, said } = record.task;
  const message = said === null ? derivedMessage(record, config) : (JSON.parse(said) as Message);
  return {
    state: `TASK_STATE_${state.toUpperCase()}` as WireState,
    ...(message ? { message } : {}),
    timestamp: iso(stateAt),
  };
}

/** The message of a state that was stored without one: made from the project, or from the headers of the answer. */
function derivedMessage(record: TaskRecord, config: Config): Message | null {
  const { task, project } = record;
  const envelope = { role: "ROLE_AGENT", taskId: task.id, contextId: task.contextId } as const;
  if (task.state === "working" && project) {
    const { total, waiting, checking, indexed, notIndexed, failed } = project;
    const decided = indexed + notIndexed + failed;
    const text = `${decided} of ${total} decided: ${indexed} in Google, ${notIndexed} not in Google, ${failed} not sent or unknown; ${waiting} waiting, ${checking} being checked.`;
    // The same message has the same id, whoever reads it.
    const messageId = ["msg", task.id.slice(4), waiting, checking, indexed, notIndexed].join("_");
    return { messageId, ...envelope, parts: [{ text }, dataPart({ project: presentProject(project, config) })] };
  }
  const metadata = task.state === "completed" && notesOf(record).x402 ? paidMetadata(headersOf(record)) : null;
  const text = "The payment is complete, and the credits are in the balance.";
  return metadata && { messageId: `msg_${task.id.slice(4)}_paid`, ...envelope, parts: [{ text }], metadata };
}

function artifactsOf(record: TaskRecord, config: Config): Artifact[] {
  const { id, state, skill, answer } = record.task;
  const result = resultOf(record, config);
  if (result === null) return [];
  // A watch that is canceled has the answer of cancel_links.
  const name = skill === WATCH_PROJECT && state === "canceled" && answer !== null ? "cancel_links" : skill;
  const replayed = headersOf(record)?.["Idempotent-Replayed"] === "true";
  return [
    {
      artifactId: `art_${id.slice(4)}`,
      name: `${name}.result`,
      parts: [dataPart(result)],
      ...(replayed ? { metadata: { "beckon/idempotent-replayed": true } } : {}),
    },
  ];
}

function resultOf({ task, project }: TaskRecord, config: Config): unknown {
  if (task.answer !== null) return JSON.parse(task.answer);
  return task.state === "completed" && project ? presentProject(project, config) : null;
}

function headersOf({ task }: TaskRecord): Record<string, string> | undefined {
  return task.answerHeaders === null ? undefined : (JSON.parse(task.answerHeaders) as Record<string, string>);
}

/** A text that differs whenever the task has changed, or the counts of its project. */
export function progressKey({ task, project }: TaskRecord): string {
  const counts = project
    ? [project.waiting, project.checking, project.indexed, project.notIndexed, project.failed]
    : [];
  return [task.revision, ...counts].join();
}

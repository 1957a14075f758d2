import { presentProject } from "../../src/contract/shapes/project.ts";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { TASK } from "../../src/domain/tasks/states.ts";
import { iso } from "../../src/platform/clock.ts";
import type { Config } from "../../src/platform/config/config.ts";
import { WATCH } from "../skills.ts";
import {
  type Artifact,
  type Message,
  STATES,
  type StreamResponse,
  type Task,
  type TaskStatus,
  type WireState,
} from "../wire.ts";
import { data } from "./outcome.ts";
import { paidMetadata } from "./payment.ts";
import { notesOf } from "./received-message.ts";

export function stateNumber(state: WireState): number {
  return STATES.indexOf(state) + 1;
}

export interface Shown {
  /** Most messages of its history; absent: all that were kept. */
  readonly historyLength?: number | undefined;
  /** Default: yes. */
  readonly artifacts?: boolean;
}

/** A task as it stands on the wire (section 4.1.1). */
export function taskOf(record: TaskRecord, config: Config, { historyLength, artifacts = true }: Shown = {}): Task {
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

/** What is told while a task goes on. */
export function statusUpdate(record: TaskRecord, config: Config): StreamResponse {
  const { id: taskId, contextId } = record.task;
  return { statusUpdate: { taskId, contextId, status: statusOf(record, config) } };
}

/** What is told when it is over: its artifacts, then its last status. */
export function endOf(record: TaskRecord, config: Config): StreamResponse[] {
  const { id: taskId, contextId } = record.task;
  const artifacts = artifactsOf(record, config).map((artifact) => ({
    artifactUpdate: { taskId, contextId, artifact, lastChunk: true },
  }));
  return [...artifacts, statusUpdate(record, config)];
}

function statusOf(record: TaskRecord, config: Config): TaskStatus {
  const { state, stateAt, said } = record.task;
  const message = said === null ? derived(record, config) : (JSON.parse(said) as Message);
  return {
    state: STATES[state - 1]!,
    ...(message ? { message } : {}),
    timestamp: iso(stateAt),
  };
}

/** What is said of a state by what stands elsewhere: the project that is watched, or the headers of the answer. */
function derived(record: TaskRecord, config: Config): Message | null {
  const { task, project } = record;
  const saying = { role: "ROLE_AGENT", taskId: task.id, contextId: task.contextId } as const;
  if (task.state === TASK.working && project) {
    const { total, waiting, checking, indexed, notIndexed, failed } = project;
    const decided = indexed + notIndexed + failed;
    const text = `${decided} of ${total} decided: ${indexed} indexed, ${notIndexed} not indexed, ${failed} failed; ${waiting} waiting, ${checking} being checked.`;
    // The same words have the same id, whoever reads them.
    const messageId = ["msg", task.id.slice(4), waiting, checking, indexed, notIndexed].join("_");
    return { messageId, ...saying, parts: [{ text }, data({ project: presentProject(project, config) })] };
  }
  const metadata = task.state === TASK.completed && notesOf(record).x402 ? paidMetadata(headersOf(record)) : null;
  const text = "The payment was made, and the credits are on the account.";
  return metadata && { messageId: `msg_${task.id.slice(4)}_paid`, ...saying, parts: [{ text }], metadata };
}

function artifactsOf(record: TaskRecord, config: Config): Artifact[] {
  const { id, state, skill, answer } = record.task;
  const result = resultOf(record, config);
  if (result === null) return [];
  // What ends a watch early is a cancel, and that is what has answered.
  const name = skill === WATCH && state === TASK.canceled && answer !== null ? "cancel_links" : skill;
  const replayed = headersOf(record)?.["Idempotent-Replayed"] === "true";
  return [
    {
      artifactId: `art_${id.slice(4)}`,
      name: `${name}.result`,
      parts: [data(result)],
      ...(replayed ? { metadata: { "beckon/idempotent-replayed": true } } : {}),
    },
  ];
}

function resultOf({ task, project }: TaskRecord, config: Config): unknown {
  if (task.answer !== null) return JSON.parse(task.answer);
  return task.state === TASK.completed && project ? presentProject(project, config) : null;
}

function headersOf({ task }: TaskRecord): Record<string, string> | undefined {
  return task.answerHeaders === null ? undefined : (JSON.parse(task.answerHeaders) as Record<string, string>);
}

/** What changes as a task goes on, as a text to compare. */
export function standingOf({ task, project }: TaskRecord): string {
  const counts = project
    ? [project.waiting, project.checking, project.indexed, project.notIndexed, project.failed]
    : [];
  return [task.version, ...counts].join();
}

import type { TaskRecord } from "../../src/domain/tasks/read.ts";

/** What the agent keeps with a task between its messages, as JSON in `tasks.metadata`. */
export interface TaskNotes {
  /** The client speaks x402. */
  readonly x402?: boolean;
  /** A payment was submitted, and its outcome is not known yet. */
  readonly isPending?: boolean;
}

export function notesOf(record: TaskRecord | null): TaskNotes {
  return JSON.parse(record?.task.metadata ?? "{}") as TaskNotes;
}

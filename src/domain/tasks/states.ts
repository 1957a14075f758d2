import type { TaskState } from "../../../db/words.ts";

export type { TaskState };

/** Whether a state is terminal (A2A 1.0 section 4.1.3): the task never changes again. */
export function isTerminal(state: TaskState): boolean {
  return state !== "working" && state !== "input_required";
}

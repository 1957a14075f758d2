/** States of a task, by the numbers of A2A 1.0 section 4.1.3 (a2a.proto, TaskState). */
export const TASK = {
  working: 2,
  completed: 3,
  failed: 4,
  canceled: 5,
  inputRequired: 6,
  rejected: 7,
} as const;

export type TaskState = (typeof TASK)[keyof typeof TASK];

/** Whether a state is terminal (A2A 1.0 section 4.1.3): the task never changes again. */
export function isTerminal(state: number): boolean {
  return state !== TASK.working && state !== TASK.inputRequired;
}

import type { Executor } from "../contract/executor.ts";

/** Wakes the checker after each call that may have queued work. */
export function wakeAfterCalls(executor: Executor, wake: () => void): Executor {
  return {
    async run(work) {
      const answer = await executor.run(work);
      if (work.operation.effect !== "read") wake();
      return answer;
    },
  };
}

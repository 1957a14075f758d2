import type { Executor } from "../contract/executor.ts";
import { andThen } from "../platform/awaitable.ts";

/** Wakes the checker after each call that may have queued work. */
export function wakeAfterCalls(executor: Executor, wake: () => void): Executor {
  return {
    run(work) {
      if (work.operation.effect === "read") return executor.run(work);
      return andThen(executor.run(work), (answer) => {
        wake();
        return answer;
      });
    },
  };
}

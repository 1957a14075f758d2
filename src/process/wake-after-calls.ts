import type { Answer, Call } from "../contract/call.ts";
import type { Executor } from "../contract/executor.ts";

/** Wakes the checker after each call that may have queued work. */
export function wakeAfterCalls(executor: Executor, wake: () => void): Executor {
  return {
    run: (work) => (work.operation.effect === "read" ? executor.run(work) : runAndWake(work)),
  };

  async function runAndWake(work: Call): Promise<Answer> {
    const answer = await executor.run(work);
    wake();
    return answer;
  }
}

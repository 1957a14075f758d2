import { FetchFailure } from "./failure.ts";

/** The time of a visit, which its caller may cut short. */
export interface Ending {
  /** Aborted with FetchFailure `timeout`. */
  readonly signal: AbortSignal;
  /** Rejects when the time has come, whatever `work` does then. */
  before<T>(work: Promise<T>): Promise<T>;
  /** Lets the time go: the visit is over. */
  cancel(): void;
}

export function endingIn(timeMs: number, earlier?: AbortSignal): Ending {
  const ending = new AbortController();
  const end = () => ending.abort(new FetchFailure("timeout"));
  const timer = setTimeout(end, timeMs);
  if (earlier?.aborted) end();
  else earlier?.addEventListener("abort", end, { once: true });
  const { signal } = ending;
  const ended = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  ended.catch(() => undefined);
  return {
    signal,
    before(work) {
      work.catch(() => undefined);
      return Promise.race([ended, work]);
    },
    cancel() {
      clearTimeout(timer);
      earlier?.removeEventListener("abort", end);
    },
  };
}

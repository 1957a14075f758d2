import { FetchFailure } from "./failure.ts";

/** The time limit of a fetch, which its caller may cut short. */
export interface Deadline {
  /** Aborted with FetchFailure `timeout`. */
  readonly signal: AbortSignal;
  /** Settles as `work` does, or rejects at the deadline, whatever `work` does after it. */
  before<T>(work: Promise<T>): Promise<T>;
  /** Clears the timer, because the fetch is over. */
  cancel(): void;
}

/** A deadline in `timeMs`, or when `earlier` is aborted. */
export function deadlineIn(timeMs: number, earlier?: AbortSignal): Deadline {
  const controller = new AbortController();
  const end = () => controller.abort(new FetchFailure("timeout"));
  const timer = setTimeout(end, timeMs);
  if (earlier?.aborted) end();
  else earlier?.addEventListener("abort", end, { once: true });
  const { signal } = controller;
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

import { setTimeout as sleep } from "node:timers/promises";

/** Waits at most `ms` for work, which is not cancelled when it takes longer. @returns null when it took longer */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const timer = new AbortController();
  const timeout = sleep(ms, null, { signal: timer.signal }).catch(() => null);
  return Promise.race([work, timeout]).finally(() => timer.abort());
}

import { setTimeout as sleep } from "node:timers/promises";

/** Waits at most `ms` for work, which goes on where it takes longer. @returns null when it took longer */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const enough = new AbortController();
  const late = sleep(ms, null, { signal: enough.signal }).catch(() => null);
  return Promise.race([work, late]).finally(() => enough.abort());
}

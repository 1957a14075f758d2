import { setTimeout as sleep } from "node:timers/promises";

/**
 * The `lookUp` of a channel whose calls can be repeated without harm. The call is repeated, whether it arrived or
 * not.
 */
export async function assumeNotArrived(): Promise<boolean> {
  return false;
}

/** How long a provider may still be processing a call that timed out, in real ms. */
const STILL_BUSY_MS = 5_000;

/**
 * Looks a call up. A call that is not found is looked up once more after a pause, because the provider may still be
 * processing it.
 */
export async function lookUpTwice(
  lookUp: () => Promise<boolean | null>,
  pauseMs = STILL_BUSY_MS,
): Promise<boolean | null> {
  const first = await lookUp();
  if (first !== false) return first;
  await sleep(pauseMs);
  return lookUp();
}

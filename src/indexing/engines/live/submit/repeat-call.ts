import { setTimeout as sleep } from "node:timers/promises";

/** `lookUp` of a channel whose calls can be repeated without harm: the call is repeated, whether it arrived or not. */
export async function assumeNotArrived(): Promise<boolean> {
  return false;
}

/** How long a provider may still be processing a call that timed out, in real ms. */
const STILL_BUSY_MS = 5_000;

/** Looks a call up, and once more after a pause if it is not found: the provider may still be processing it. */
export async function lookUpTwice(
  lookUp: () => Promise<boolean | null>,
  pauseMs = STILL_BUSY_MS,
): Promise<boolean | null> {
  const first = await lookUp();
  if (first !== false) return first;
  await sleep(pauseMs);
  return lookUp();
}

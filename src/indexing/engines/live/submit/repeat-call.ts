import { setTimeout as sleep } from "node:timers/promises";

/** For calls that may be made twice without harm: whether one arrived or not, it is simply made again. */
export async function assumeNotArrived(): Promise<boolean> {
  return false;
}

/** How long a provider may still be busy with a call that ran into its time limit, in real ms. */
const STILL_BUSY_MS = 5_000;

/** Looks for a call, and once more after a while when it is not there: it may only now be coming through. */
export async function lookUpTwice(
  look: () => Promise<boolean | null>,
  pauseMs = STILL_BUSY_MS,
): Promise<boolean | null> {
  const first = await look();
  if (first !== false) return first;
  await sleep(pauseMs);
  return look();
}

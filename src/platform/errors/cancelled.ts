import { Refusal } from "./errors.ts";

/**
 * Ends a call whose caller has gone away, or has cancelled it. Nobody reads the refusal, and it is no error of ours.
 * @throws Refusal unavailable
 */
export function refuseIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Refusal("unavailable", "The call was cancelled. Nothing was changed.");
}

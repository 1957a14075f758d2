import type { Engine, Reader } from "../../db/engine.ts";

/** A signed identity assertion of an agent's grant, and when it ends (ms). */
export async function signAssertion(
  _db: Engine,
  _of: { siteUrl: string; registrationId: string; grantId: string; now: number },
): Promise<{ assertion: string; jtiHash: string; expiresAt: number }> {
  throw new Error("not built yet");
}

/** The grant that an assertion is of, when it is one of ours, has not expired and its grant has not ended. */
export async function grantOfAssertion(
  _db: Reader,
  _siteUrl: string,
  _assertion: string,
  _now: number,
): Promise<string | null> {
  return null;
}

import { eq } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { hashOf, newSecret, timingSafeEquals } from "./secrets.ts";

/**
 * The secret of a watch's publish hook, by which a CMS says that it has published and can do nothing else. It is sealed and not
 * hashed, since a signature can be checked only with the secret itself (docs/decisions.md).
 */
const fieldOf = (row: string) => ({ table: "watches", row, column: "sealed_hook_secret" });

/** A new secret for a watch, to be handed out once, and as its row holds it. */
export function newHookSecret(watchId: string, box: SecretBox): { secret: string; sealed: string } {
  const { secret } = newSecret("hook");
  return { secret, sealed: box.seal(secret, fieldOf(watchId)) };
}

/** @param sealed as the row of the watch holds it */
export function openHookSecret(watchId: string, sealed: string, box: SecretBox): string {
  return box.open(sealed, fieldOf(watchId));
}

export function isHookSecret(given: string, secret: string): boolean {
  return timingSafeEquals(hashOf(given), hashOf(secret));
}

/** Ends the publish hooks of all watches of an account. */
export async function revokeHookSecretsOf(tx: Tx, accountId: string): Promise<void> {
  const { watches } = tx.t;
  await tx.q.update(watches).set({ sealedHookSecret: null }).where(eq(watches.accountId, accountId));
}

import type { Tx } from "../../../db/engine.ts";
import { revokeKeysOf } from "../credentials/keys.ts";
import { revokePushSecretsOf } from "../credentials/push-secrets.ts";
import { type EndedBy, grantsOf, revokeGrant } from "../oauth/grants.ts";

/**
 * Revokes everything that acts for an account without its password: the grants of apps and agents, the API keys, and the secrets of
 * push addresses.
 */
export async function revokeAccess(
  tx: Tx,
  accountId: string,
  { by, ip, now }: { by: EndedBy; ip: string; now: number },
): Promise<void> {
  for (const { id } of await grantsOf(tx, accountId)) await revokeGrant(tx, { grantId: id, by, ip, now });
  await revokeKeysOf(tx, accountId, { ip, now });
  await revokePushSecretsOf(tx, accountId);
}

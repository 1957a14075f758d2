import type { Tx } from "../../../db/engine.ts";
import type { Doer } from "../../platform/principal.ts";
import { recordSecurityEvent, type SecurityEvent } from "../security-log/security-log.ts";
import type { SubscriptionRow } from "./subscriptions.ts";

/** Writes to the security log of the account what has become of a subscription. @param circumstances.doer absent: nobody */
export async function logSubscription(
  tx: Tx,
  kind: Extract<SecurityEvent, `subscription_${string}`>,
  { id: target, accountId, url }: Pick<SubscriptionRow, "id" | "accountId" | "url">,
  { doer = {}, now }: { readonly doer?: Partial<Doer>; readonly now: number },
): Promise<void> {
  // The path may be a secret.
  const { origin: subject } = new URL(url);
  await recordSecurityEvent(tx, { accountId, ...doer, kind, subject, target, now });
}

import type { Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { doerOf, type Principal } from "../../platform/principal.ts";
import { recordSecurityEvent, type SecurityEvent } from "../security-log/security-log.ts";

type WebhookRow = Schema["webhooks"]["$inferSelect"];

interface Circumstances {
  /** Absent: nobody's call. */
  readonly caller?: Principal;
  /** Real time. */
  readonly now: number;
}

/** Writes to the security log of the account what has become of a webhook. */
export async function logWebhook(
  tx: Tx,
  kind: Extract<SecurityEvent, `webhook_${string}`>,
  { id: target, accountId, url }: Pick<WebhookRow, "id" | "accountId" | "url">,
  { caller, now }: Circumstances,
): Promise<void> {
  // The path may be a secret.
  const { origin: subject } = new URL(url);
  await recordSecurityEvent(tx, { accountId, ...(caller ? doerOf(caller) : {}), kind, subject, target, now });
}

/**
 * Logs what a call of save_webhook has done; nothing, where it has changed nothing.
 * @param before null: there was none
 * @param secret the new one; null: it has none
 */
export async function logSaved(
  tx: Tx,
  { before, after, secret }: { before: WebhookRow | null; after: WebhookRow; secret: string | null },
  circumstances: Circumstances,
): Promise<void> {
  const log = (kind: Parameters<typeof logWebhook>[1]) => logWebhook(tx, kind, after, circumstances);
  if (before === null) {
    // If two calls make the same webhook at once, the second has made none.
    if (secret !== null) await log("webhook_made");
    return;
  }
  const isChanged = (["url", "types", "description", "status"] as const).some((name) => before[name] !== after[name]);
  if (isChanged) await log("webhook_changed");
  if (secret !== null) await log("webhook_secret_replaced");
}

import { like } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/**
 * Every subscription to MCP Events is of an account that stays, and was made by a key or grant that was not revoked; whatever waits for
 * one has one.
 */
export async function auditSubscriptions({ q, t }: Reader, problems: string[]): Promise<void> {
  const rows = await q.select().from(t.eventSubscriptions);
  const keys = await q.select({ id: t.apiKeys.id, revokedAt: t.apiKeys.revokedAt }).from(t.apiKeys);
  const grants = await q.select({ id: t.grants.id, revokedAt: t.grants.revokedAt }).from(t.grants);
  const deletions = await q.select({ accountId: t.accountDeletions.accountId }).from(t.accountDeletions);
  const live = new Set([...keys, ...grants].filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id));
  const leaving = new Set(deletions.map(({ accountId }) => accountId));
  for (const { id, accountId, maker } of rows) {
    if (leaving.has(accountId)) problems.push(`subscription ${id} goes on, and its account is being deleted`);
    if (!live.has(maker)) problems.push(`subscription ${id} goes on, and its credential was revoked`);
  }
  const known = new Set(rows.map(({ id }) => id));
  const { targetId } = t.webhookDeliveries;
  const waiting = await q.selectDistinct({ id: targetId }).from(t.webhookDeliveries).where(like(targetId, "sub_%"));
  for (const { id } of waiting)
    if (!known.has(id)) problems.push(`deliveries wait for subscription ${id}, which there is not`);
}

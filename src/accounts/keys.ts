import { randomBytes } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../db/engine.ts";
import { hashOf } from "../auth/secrets.ts";
import { SCOPES, type Scope } from "../context.ts";
import { newId } from "../ids.ts";
import { SIZES } from "../limits/table.ts";

/**
 * A new API key, shown once: only its SHA-256 is kept.
 * @throws Error when the account has as many active keys as it may
 */
export async function createKey(
  tx: Tx,
  key: { accountId: string; name: string; scopes?: readonly Scope[]; mode: "sandbox" | "live"; now: number },
): Promise<string> {
  const active = await activeKeys(tx, key.accountId);
  if (active.length >= SIZES.activeKeys)
    throw new Error(`The account has ${SIZES.activeKeys} active keys. Revoke one first.`);
  const secret = `bk_${key.mode === "live" ? "live" : "test"}_${randomBytes(24).toString("base64url")}`;
  await tx.q.insert(tx.t.apiKeys).values({
    id: newId("key"),
    accountId: key.accountId,
    hash: hashOf(secret),
    name: key.name,
    ending: secret.slice(-4),
    scopes: (key.scopes ?? SCOPES).join(" "),
    createdAt: key.now,
    lastUsedAt: null,
    revokedAt: null,
  });
  return secret;
}

/** Ids of the account's keys that are not revoked. */
export async function activeKeys(db: Reader, accountId: string): Promise<string[]> {
  const { apiKeys } = db.t;
  const rows = await db.q
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
  return rows.map((row) => row.id);
}

export async function revokeKey(tx: Tx, keyId: string, now: number): Promise<void> {
  await tx.q.update(tx.t.apiKeys).set({ revokedAt: now }).where(eq(tx.t.apiKeys.id, keyId));
}

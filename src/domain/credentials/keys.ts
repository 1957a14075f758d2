import { randomBytes } from "node:crypto";
import { and, count, desc, eq, gt, isNull, or, type SQL } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { iso } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { SCOPES, type Scope } from "../../platform/principal.ts";
import { SIZES } from "../../platform/sizes.ts";
import { recordEvents } from "../events/record.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { setLimits } from "../spending/budgets.ts";
import { NO_LIMITS, type SpendingLimits } from "../spending/limits.ts";
import { endItsWork } from "./ended-credential.ts";
import { lastDayOf } from "./key-end.ts";
import { oldestOwner } from "./owner.ts";
import { scopeText } from "./scopes.ts";
import { hashOf } from "./secrets.ts";

export type KeyRow = Reader["t"]["apiKeys"]["$inferSelect"];

export interface NewKey {
  readonly accountId: string;
  /** Who makes it; default, as for an operator: the oldest owner. */
  readonly personId?: string;
  readonly name: string;
  /** Default: all. */
  readonly scopes?: readonly Scope[];
  /** From when on it is refused; default: it has no end. */
  readonly expiresAt?: number | null;
  /** What it may spend; default: whatever there is. */
  readonly limits?: SpendingLimits;
  readonly mode: "sandbox" | "live";
  readonly ip?: string | undefined;
  readonly now: number;
}

/**
 * Creates an API key. @returns the secret, to be shown once: only its SHA-256 is stored
 * @throws Error when the account has the most active keys allowed
 */
export async function createKey(tx: Tx, key: NewKey): Promise<string> {
  const secret = await createKeyOnce(tx, { ...key, id: newId("key") });
  if (secret === "full") throw new Error(`The account has ${SIZES.activeKeys} active keys. Revoke one first.`);
  return secret;
}

/**
 * Creates an API key with an id that the caller chose, so that repeating the call creates no second key.
 * @returns the secret; `exists` when a key has that id already; `full` when the account has the most active keys allowed
 */
export async function createKeyOnce(
  tx: Tx,
  {
    id,
    accountId,
    personId,
    name,
    scopes = SCOPES,
    expiresAt = null,
    limits = NO_LIMITS,
    mode,
    ip,
    now,
  }: NewKey & { id: string },
): Promise<string | "exists" | "full"> {
  await lockAccount(tx, accountId);
  const { apiKeys } = tx.t;
  const [existing] = await tx.q.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id));
  if (existing) return "exists";
  if ((await activeKeys(tx, accountId, now)) >= SIZES.activeKeys) return "full";
  const secret = `bk_${mode === "live" ? "live" : "test"}_${randomBytes(24).toString("base64url")}`;
  const [row] = await tx.q
    .insert(apiKeys)
    .values({
      id,
      accountId,
      personId: personId ?? (await oldestOwner(tx, accountId)),
      hash: hashOf(secret),
      name,
      ending: secret.slice(-4),
      scopes: scopeText(scopes),
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
      expiresAt,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) return "exists";
  await setLimits(tx, { accountId, holder: id }, limits);
  await recordSecurityEvent(tx, {
    accountId,
    personId,
    kind: "key_created",
    subject: keyTitle(row),
    target: id,
    ip,
    now,
  });
  const { ending } = row;
  const data = { key_id: id, name, ending, scopes, expires_at: iso(expiresAt) };
  await recordEvents(tx, accountId, [{ type: "key.created", data }], now);
  return secret;
}

/** An account's keys that are not revoked, newest first; some of them may have ended. */
export async function keysOf(db: Reader, accountId: string): Promise<KeyRow[]> {
  const { apiKeys } = db.t;
  return db.q
    .select()
    .from(apiKeys)
    .where(isUnrevoked(db, accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** A key of an account that is not revoked; null when there is none with this id. */
export async function keyOfAccount(db: Reader, accountId: string, keyId: string): Promise<KeyRow | null> {
  const { apiKeys } = db.t;
  const isIt = and(eq(apiKeys.id, keyId), isUnrevoked(db, accountId));
  const [row] = await db.q.select().from(apiKeys).where(isIt);
  return row ?? null;
}

/** How many active keys an account has: not revoked, and not ended. */
export async function activeKeys(db: Reader, accountId: string, now: number): Promise<number> {
  const { apiKeys } = db.t;
  const hasNotEnded = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  const [row] = await db.q
    .select({ keys: count() })
    .from(apiKeys)
    .where(and(isUnrevoked(db, accountId), hasNotEnded));
  return row!.keys;
}

function isUnrevoked({ t: { apiKeys } }: Reader, accountId: string) {
  return and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
}

/** Whether the end date that was set has passed. Another one can be set, until the key is revoked. */
export function hasEnded({ expiresAt }: Pick<KeyRow, "expiresAt">, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

export async function revokeKey(tx: Tx, keyId: string, now: number): Promise<boolean> {
  return revoke(tx, undefined, { keyId, now });
}

/** Revokes a key of an account; calls with it are refused from now on. @returns false when there is no such active key */
export async function revokeKeyOf(
  tx: Tx,
  accountId: string,
  revoked: { keyId: string; personId?: string; ip?: string | undefined; now: number },
): Promise<boolean> {
  return revoke(tx, eq(tx.t.apiKeys.accountId, accountId), revoked);
}

async function revoke(
  tx: Tx,
  condition: SQL | undefined,
  { keyId, personId, ip, now }: { keyId: string; personId?: string; ip?: string | undefined; now: number },
): Promise<boolean> {
  const { apiKeys } = tx.t;
  const [row] = await tx.q
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt), condition))
    .returning();
  if (!row) return false;
  const { accountId } = row;
  await recordSecurityEvent(tx, {
    accountId,
    personId,
    kind: "key_revoked",
    subject: keyTitle(row),
    target: keyId,
    ip,
    now,
  });
  await endItsWork(tx, { accountId, maker: row.id, now });
  return true;
}

/** The name of a key and the end of its secret, by which users tell keys apart. */
export function keyTitle({ name, ending }: Pick<KeyRow, "name" | "ending">): string {
  return `${name} ****${ending}`;
}

/** What may be changed of a key; a property that is absent stays as it is. */
export interface KeyChange {
  readonly keyId: string;
  /** Who changes it. */
  readonly personId?: string;
  readonly name?: string;
  /** Null: without an end. */
  readonly expiresAt?: number | null;
  readonly ip?: string | undefined;
  readonly now: number;
}

/**
 * Changes the name or the end of a key of an account.
 * @returns `unknown` when there is no such key that is not revoked; `full` when an ended key would work again although the
 * account has the most active keys allowed
 */
export async function changeKeyOf(
  tx: Tx,
  accountId: string,
  { keyId, personId, name, expiresAt, ip, now }: KeyChange,
): Promise<"changed" | "unknown" | "full"> {
  await lockAccount(tx, accountId);
  const key = await keyOfAccount(tx, accountId, keyId);
  if (!key) return "unknown";
  const changed = { name: name ?? key.name, expiresAt: expiresAt === undefined ? key.expiresAt : expiresAt };
  const worksAgain = hasEnded(key, now) && !hasEnded(changed, now);
  if (worksAgain && (await activeKeys(tx, accountId, now)) >= SIZES.activeKeys) return "full";
  const { apiKeys } = tx.t;
  await tx.q.update(apiKeys).set(changed).where(eq(apiKeys.id, keyId)).returning({ id: apiKeys.id });
  const record = (kind: "key_renamed" | "key_end_changed", what: string) =>
    recordSecurityEvent(tx, {
      accountId,
      personId,
      kind,
      subject: `${keyTitle(key)}: ${what}`,
      target: keyId,
      ip,
      now,
    });
  if (changed.name !== key.name) await record("key_renamed", changed.name);
  if (changed.expiresAt !== key.expiresAt) await record("key_end_changed", endWords(changed.expiresAt));
  return "changed";
}

/** Changes what a key of an account may spend. @returns false when there is no such key that is not revoked */
export async function changeLimitsOfKey(
  tx: Tx,
  accountId: string,
  {
    keyId,
    limits,
    ...by
  }: { keyId: string; limits: SpendingLimits; personId?: string; ip?: string | undefined; now: number },
): Promise<boolean> {
  const key = await keyOfAccount(tx, accountId, keyId);
  if (!key) return false;
  await setLimits(tx, { accountId, holder: keyId }, limits);
  await recordSecurityEvent(tx, { accountId, kind: "limits_changed", subject: keyTitle(key), target: keyId, ...by });
  return true;
}

function endWords(expiresAt: number | null): string {
  return expiresAt === null ? "no end date" : `ends on ${lastDayOf(expiresAt)}`;
}

/** Locks the account's row until the transaction ends, so that a count of its keys stays true. */
async function lockAccount({ q, t: { accounts } }: Tx, accountId: string): Promise<void> {
  await q.update(accounts).set({ id: accountId }).where(eq(accounts.id, accountId)).returning({ id: accounts.id });
}

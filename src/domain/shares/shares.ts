import { and, count, desc, eq, gt, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { newId } from "../../platform/ids.ts";
import { creatorOf, doerOf, type Principal } from "../../platform/principal.ts";
import { isMemberWith } from "../../platform/roles.ts";
import { SIZES } from "../../platform/sizes.ts";
import { newSecret } from "../credentials/secrets.ts";
import { recordEvents } from "../events/record.ts";
import { recordSecurityEvent, type SecurityEvent } from "../security-log/security-log.ts";
import { maySeeBy } from "./makers.ts";

export type ShareRow = Schema["shares"]["$inferSelect"];

/** How long a share is kept after its end, in ms. */
const KEPT = 30 * DAY;

/** Where the pages of shares are. */
export const SHARED_PATH = "/shared";

export interface NewShare {
  readonly caller: Principal;
  /** What it shows: a project, or else a host. */
  readonly projectId: string | null;
  readonly host: string | null;
  readonly title: string;
  readonly from: string;
  readonly days: number;
  readonly now: number;
}

/** Makes a share. @returns it with its secret, which nothing tells again @throws Refusal invalid_request when the account has as many as it may */
export async function createShare(
  tx: Tx,
  { caller, projectId, host, title, from, days, now }: NewShare,
): Promise<{ row: ShareRow; secret: string }> {
  const { accountId } = caller;
  const { shares, accounts } = tx.t;
  // Locks the account, so that the second of two simultaneous calls counts the first.
  await tx.q.update(accounts).set({ id: accountId }).where(eq(accounts.id, accountId)).returning({ id: accounts.id });
  const [open] = await tx.q
    .select({ n: count() })
    .from(shares)
    .where(isOpen(tx, accountId, now));
  if (open!.n >= SIZES.sharesPerAccount) {
    const message = `The account has ${SIZES.sharesPerAccount} shares, and that is the most. End one first.`;
    throw new Refusal("invalid_request", message);
  }
  const { secret, hash } = newSecret("share");
  const [row] = await tx.q
    .insert(shares)
    .values({
      ...{ id: newId("shr"), accountId, hash, projectId, host, title, fromName: from, maker: creatorOf(caller) },
      ...{ createdAt: now, expiresAt: now + days * DAY, endedAt: null, lastSeenAt: null },
    })
    .returning();
  await log(tx, "share_made", row!, { caller, now });
  const subject = { project_id: projectId, host, title, expires_at: new Date(row!.expiresAt).toISOString() };
  await recordEvents(tx, accountId, [{ type: "share.created", data: { share_id: row!.id, ...subject } }], now);
  return { row: row!, secret };
}

/** The shares of an account that have not ended, newest first, and whether there are more. */
export async function sharesOf(
  db: Reader,
  accountId: string,
  { limit, offset, now }: { limit: number; offset: number; now: number },
) {
  const { shares } = db.t;
  const rows = await db.q
    .select()
    .from(shares)
    .where(isOpen(db, accountId, now))
    .orderBy(desc(shares.createdAt), desc(shares.id));
  const open = await maySeeBy(db, rows, now);
  return { rows: open.slice(offset, offset + limit), hasMore: open.length > offset + limit };
}

/** Ends a share. A credential ends the ones that it has made. @returns it as it was @throws Refusal not_found */
export async function endShare(
  tx: Tx,
  { caller, id, now }: { caller: Principal; id: string; now: number },
): Promise<ShareRow> {
  const { shares } = tx.t;
  const isIt = and(isOpen(tx, caller.accountId, now), eq(shares.id, id));
  const [row] = await tx.q.select().from(shares).where(isIt);
  if (!row || !(row.maker === creatorOf(caller) || isMemberWith(caller, "share")))
    throw new Refusal(
      "not_found",
      "There is no share with this id that you can end. list_shares shows those there are.",
    );
  await tx.q.update(shares).set({ endedAt: now }).where(eq(shares.id, id)).returning({ id: shares.id });
  await log(tx, "share_ended", row, { caller, now });
  return row;
}

/** Ends all shares of an account, in the transaction that requests its deletion. */
export async function endSharesOf(tx: Tx, accountId: string, now: number): Promise<void> {
  const { shares } = tx.t;
  await tx.q
    .update(shares)
    .set({ endedAt: now })
    .where(isOpen(tx, accountId, now))
    .returning({ id: shares.id });
}

async function log(
  tx: Tx,
  kind: Extract<SecurityEvent, `share_${string}`>,
  { id, accountId, title }: ShareRow,
  { caller, now }: { caller: Principal; now: number },
): Promise<void> {
  await recordSecurityEvent(tx, { accountId, ...doerOf(caller), kind, subject: title, target: id, now });
}

function isOpen({ t: { shares } }: Pick<Reader, "t">, accountId: string, now: number): SQL {
  return and(eq(shares.accountId, accountId), isNull(shares.endedAt), gt(shares.expiresAt, now))!;
}

/** Rows that one transaction deletes. */
const BATCH = 500;

/** Deletes shares that ended long ago. Any number of processes may run it. */
export async function purgeShares(db: Engine, now: number): Promise<void> {
  for (let gone = BATCH; gone === BATCH; ) gone = await db.tx((tx) => purgeBatch(tx, now - KEPT));
}

async function purgeBatch({ q, t: { shares } }: Tx, before: number): Promise<number> {
  const isOld = or(lte(shares.expiresAt, before), lte(shares.endedAt, before));
  const old = q.select({ id: shares.id }).from(shares).where(isOld).limit(BATCH);
  return (await q.delete(shares).where(inArray(shares.id, old)).returning({ id: shares.id })).length;
}

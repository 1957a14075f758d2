import { and, asc, eq, isNull, lt, lte, or } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { HOUR, MINUTE } from "../../platform/clock.ts";
import { isMemberWith } from "../../platform/roles.ts";
import { makerWhoMayAct } from "../credentials/may-act.ts";
import { personById } from "../people/people.ts";
import { EXPORT_KEPT, type ExportRow, MAX_FAILURES } from "./exports.ts";

/** After this time without a new piece, the process that makes an export counts as gone, and another one begins again; in ms. */
const LEASE = 2 * MINUTE;

/** The export is no longer this process's to make: its account is gone or will be, or another process has taken it. */
export class ExportLost extends Error {
  override readonly name = "ExportLost";
}

/** An export that this process makes. */
export interface HeldExport extends ExportRow {
  readonly lease: string;
}

/** Takes the export that waits longest. Only one of several processes gets it. @returns null when there is nothing to do */
export async function claimExport(db: Engine, lease: string, now: number): Promise<HeldExport | null> {
  return db.tx(async (tx) => {
    const { exports } = tx.t;
    const isFree = or(isNull(exports.leaseUntil), lte(exports.leaseUntil, now));
    const isOpen = and(isNull(exports.completedAt), lt(exports.failures, MAX_FAILURES), isFree);
    const [row] = await tx.q.select().from(exports).where(isOpen).orderBy(asc(exports.requestedAt)).limit(1);
    if (!row) return null;
    if (!(await mayBeMade(tx, row, now))) return postpone(tx, row, now);
    // A lease that was not given back belongs to a process that has ended.
    const failures = row.lease === null ? row.failures : row.failures + 1;
    const hasFailed = failures >= MAX_FAILURES;
    const held = hasFailed ? { lease: null, leaseUntil: null } : { lease, leaseUntil: now + LEASE };
    const [claimed] = await tx.q
      .update(exports)
      .set({ ...held, failures, rowsDone: 0 })
      .where(and(eq(exports.accountId, row.accountId), eq(exports.id, row.id)))
      .returning();
    return hasFailed || !claimed ? null : { ...claimed, lease };
  });
}

/** An export is made for the person who asked for it, as long as the role allows it. */
async function mayBeMade(db: Reader, { accountId, personId }: ExportRow, now: number): Promise<boolean> {
  const asker = await makerWhoMayAct(db, { accountId, maker: personId }, { scopes: [], now });
  return asker !== null && isMemberWith(asker, "settings");
}

/** Leaves an export for later: its account will be deleted, or is kept. */
async function postpone(tx: Tx, { accountId }: ExportRow, now: number): Promise<null> {
  const { exports } = tx.t;
  await tx.q
    .update(exports)
    .set({ lease: null, leaseUntil: now + HOUR })
    .where(eq(exports.accountId, accountId));
  return null;
}

/** Writes the next piece of the file. @throws ExportLost */
export async function appendPiece(
  db: Engine,
  held: HeldExport,
  piece: { no: number; data: Buffer; rowsDone: number; now: number },
): Promise<void> {
  const { accountId, id: exportId } = held;
  const { no, data, rowsDone, now } = piece;
  await db.tx(async (tx) => {
    const { exports, exportChunks } = tx.t;
    if (!(await mayBeMade(tx, held, now))) throw new ExportLost();
    const set = { leaseUntil: now + LEASE, rowsDone };
    const renewed = await tx.q.update(exports).set(set).where(isHeld(exports, held)).returning({ id: exports.id });
    if (renewed.length === 0) throw new ExportLost();
    await tx.q.insert(exportChunks).values({ accountId, exportId, no, data });
  });
}

/**
 * Marks an export as ready.
 * @param tell tells who asked for it, whose address it gets, in the same transaction
 * @throws ExportLost
 */
export async function completeExport(
  db: Engine,
  held: HeldExport,
  { bytes, rowsDone, now }: { bytes: number; rowsDone: number; now: number },
  tell: (tx: Tx, email: string) => Promise<void>,
): Promise<void> {
  await db.tx(async (tx) => {
    const { exports } = tx.t;
    if (!(await mayBeMade(tx, held, now))) throw new ExportLost();
    const set = { lease: null, leaseUntil: null, completedAt: now, expiresAt: now + EXPORT_KEPT, bytes, rowsDone };
    const done = await tx.q.update(exports).set(set).where(isHeld(exports, held)).returning({ id: exports.id });
    if (done.length === 0) throw new ExportLost();
    await tell(tx, (await personById(tx, held.personId)).email);
  });
}

/** Gives an export back: after a failure for another attempt in a minute, at a stop for another process. */
export async function releaseExport(
  db: Engine,
  held: HeldExport,
  { hasFailed, now }: { hasFailed: boolean; now: number },
): Promise<void> {
  const set = hasFailed
    ? { lease: null, leaseUntil: now + MINUTE, failures: held.failures + 1 }
    : { lease: null, leaseUntil: null };
  await db.tx(async (tx) => {
    await tx.q.update(tx.t.exports).set(set).where(isHeld(tx.t.exports, held));
  });
}

function isHeld(exports: Engine["t"]["exports"], { accountId, id, lease }: HeldExport) {
  return and(eq(exports.accountId, accountId), eq(exports.id, id), eq(exports.lease, lease));
}

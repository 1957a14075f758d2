import { createHash, randomUUID } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../db/engine.ts";
import { DAY, MINUTE } from "../clock.ts";
import { Refusal } from "../errors.ts";

/**
 * Idempotency keys (decisions.md rule 10): only a success is remembered, for 24 hours, per account and
 * operation. A running call holds a fenced lease; a call that took over after the lease fences the old one
 * out, since the answer is written in the transaction of the work.
 */
const KEPT = DAY;
const LEASE = 5 * MINUTE;

export interface Key {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
}

/** A first call's hold on its key. */
export interface Hold extends Key {
  readonly owner: string;
}

/** The same for equal input, over every surface: `input` has been parsed, so its keys stand in one order. */
export function hashInput(input: unknown): string {
  return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}

/**
 * @returns the remembered answer, or null when this is a first call
 * @throws Refusal idempotency_mismatch, idempotency_in_flight
 */
export async function replay(db: Reader, key: Key, inputHash: string, now: number): Promise<string | null> {
  const { idempotency } = db.t;
  const [row] = await db.q.select().from(idempotency).where(at(db, key));
  if (!row || row.createdAt <= now - KEPT) return null;
  const inFlight = row.result === null;
  if (inFlight && row.lockedUntil <= now) return null;
  if (row.inputHash !== inputHash) {
    throw new Refusal(
      "idempotency_mismatch",
      "This idempotency key was used with other input in the last 24 hours. Use a new key for a new request.",
    );
  }
  if (inFlight) throw inFlightRefusal();
  return row.result;
}

/** Takes the key for a first call. @throws Refusal idempotency_in_flight when another call was quicker */
export async function claim(db: Engine, key: Key, inputHash: string, now: number): Promise<Hold> {
  const owner = randomUUID();
  const held = { inputHash, owner, lockedUntil: now + LEASE, createdAt: now, result: null };
  const taken = await db.tx(async (tx) => {
    const { idempotency } = tx.t;
    const [row] = await tx.q.select().from(idempotency).where(at(tx, key));
    const free = !row || row.createdAt <= now - KEPT || (row.result === null && row.lockedUntil <= now);
    if (!free) return false;
    await tx.q
      .insert(idempotency)
      .values({ ...key, ...held })
      .onConflictDoUpdate({ target: [idempotency.accountId, idempotency.operation, idempotency.key], set: held });
    return true;
  });
  if (!taken) throw inFlightRefusal();
  return { ...key, owner };
}

/** Writes the answer, in the transaction of the work. @throws Refusal when another call has taken the key over */
export async function remember(tx: Tx, hold: Hold, result: string): Promise<void> {
  const { idempotency } = tx.t;
  const written = await tx.q
    .update(idempotency)
    .set({ result, owner: null })
    .where(and(at(tx, hold), eq(idempotency.owner, hold.owner)))
    .returning({ key: idempotency.key });
  if (written.length === 0) throw inFlightRefusal();
}

/** Lets the key go after a refusal, so that the same call may be made again. */
export async function release(db: Engine, hold: Hold): Promise<void> {
  const { idempotency } = db.t;
  await db.tx(async (tx) => {
    await tx.q.delete(idempotency).where(and(at(tx, hold), eq(idempotency.owner, hold.owner)));
  });
}

/** Forgets what is older than 24 hours. */
export async function forgetOld(db: Engine, now: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.q.delete(tx.t.idempotency).where(lt(tx.t.idempotency.createdAt, now - KEPT));
  });
}

function at(db: Reader, { accountId, operation, key }: Key) {
  const { idempotency } = db.t;
  return and(eq(idempotency.accountId, accountId), eq(idempotency.operation, operation), eq(idempotency.key, key));
}

function inFlightRefusal(): Refusal {
  return new Refusal(
    "idempotency_in_flight",
    "The first call with this idempotency key is still running. Repeat it in a moment.",
    {},
    { "Retry-After": "1" },
  );
}

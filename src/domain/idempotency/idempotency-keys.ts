import { createHash, randomUUID } from "node:crypto";
import { and, eq, isNull, lt, lte, or } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY, MINUTE, SECOND } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";

/**
 * Idempotency keys (docs/rules.md rule 10): only a success is remembered, for 24 hours, per account and
 * operation. A running call holds a fenced lease; a call that took over after the lease fences the old one
 * out, since the answer is written in the transaction of the work.
 */
const KEPT = DAY;
const LEASE = 5 * MINUTE;

/** One statement each, whose own row decides. */
const REPEATABLE_READ = { isolation: "repeatable read" } as const;

export interface IdempotencyKey {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
}

/** A first call's hold on its key. */
export interface KeyLease extends IdempotencyKey {
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
export async function replayedResult(
  db: Reader,
  key: IdempotencyKey,
  inputHash: string,
  now: number,
): Promise<string | null> {
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

/**
 * Takes the key for a first call: in one statement that reads nothing before it writes, since calls that only look for
 * their own rows would get in each other's way on PostgreSQL.
 * @throws Refusal idempotency_in_flight when another call was quicker
 */
export async function acquireKey(db: Engine, key: IdempotencyKey, inputHash: string, now: number): Promise<KeyLease> {
  const owner = randomUUID();
  const held = { inputHash, owner, lockedUntil: now + LEASE, createdAt: now, result: null };
  const taken = await db
    .tx((tx) => {
      const { idempotency } = tx.t;
      const isOver = lte(idempotency.createdAt, now - KEPT);
      const isLeft = and(isNull(idempotency.result), lte(idempotency.lockedUntil, now));
      return tx.q
        .insert(idempotency)
        .values({ ...key, ...held })
        .onConflictDoUpdate({
          target: [idempotency.accountId, idempotency.operation, idempotency.key],
          set: held,
          setWhere: or(isOver, isLeft)!,
        })
        .returning({ owner: idempotency.owner });
    }, REPEATABLE_READ)
    .catch((thrown: unknown) => {
      // It may be held, and nobody would know.
      if (isUnavailable(thrown)) releaseLater(db, { ...key, owner }, LEASE / RETRY);
      throw thrown;
    });
  if (taken.length === 0) throw inFlightRefusal();
  return { ...key, owner };
}

/** Writes the answer, in the transaction of the work. @throws Refusal when another call has taken the key over */
export async function storeResult(tx: Tx, hold: KeyLease, result: string): Promise<void> {
  const { idempotency } = tx.t;
  const written = await tx.q
    .update(idempotency)
    .set({ result, owner: null })
    .where(and(at(tx, hold), eq(idempotency.owner, hold.owner)))
    .returning({ key: idempotency.key });
  if (written.length === 0) throw inFlightRefusal();
}

/**
 * Lets the key go after a call that came to nothing, so that the same call may be made again; later where the database
 * is away now. Where the answer was written after all the key is no longer held, and stays.
 */
export async function releaseKey(db: Engine, hold: KeyLease): Promise<void> {
  try {
    await free(db, hold);
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    releaseLater(db, hold, LEASE / RETRY);
  }
}

/** How often a key is tried to be let go that could not be; after its lease it is free by itself. */
const RETRY = 2 * SECOND;

function releaseLater(db: Engine, hold: KeyLease, triesLeft: number): void {
  const timer = setTimeout(() => {
    free(db, hold).catch(() => {
      if (triesLeft > 0) releaseLater(db, hold, triesLeft - 1);
    });
  }, RETRY);
  // What is stopped meanwhile leaves the key to its lease.
  timer.unref();
}

async function free(db: Engine, hold: KeyLease): Promise<void> {
  const { idempotency } = db.t;
  await db.tx(async (tx) => {
    await tx.q.delete(idempotency).where(and(at(tx, hold), eq(idempotency.owner, hold.owner)));
  });
}

/** Deletes keys older than 24 hours. */
export async function purgeIdempotency(db: Engine, now: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.q.delete(tx.t.idempotency).where(lt(tx.t.idempotency.createdAt, now - KEPT));
  });
}

function at(db: Reader, { accountId, operation, key }: IdempotencyKey) {
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

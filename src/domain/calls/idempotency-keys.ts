import { createHash, randomUUID } from "node:crypto";
import { and, eq, isNull, lt, lte, or } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY, MINUTE, SECOND } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { jsonPieces } from "../../platform/json/raw-list.ts";

/**
 * Idempotency keys (docs/rules.md rule 10): only a success is stored, for 24 hours, per account and operation. A running
 * call has a lease on its key. If another call takes the key over after the lease, the first one cannot commit any more,
 * since its answer is written in the transaction of its work.
 */
const RETENTION = DAY;
const LEASE = 5 * MINUTE;

/** The transaction is one statement, which depends on its own row only. */
const ONE_ROW = { isolation: "repeatable read" } as const;

export interface IdempotencyKey {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
}

/** A first call's lease on its key, by a random owner. */
export interface KeyLease extends IdempotencyKey {
  readonly owner: string;
}

/** SHA-256 in hex, equal for equal input over every surface: `input` has been parsed, so its members have a fixed order. */
export function hashInput(input: unknown): string {
  const hash = createHash("sha256");
  for (const piece of jsonPieces(input)) hash.update(piece);
  return hash.digest("hex");
}

/**
 * @returns the stored answer, or null when this is a first call
 * @throws Refusal idempotency_mismatch, idempotency_in_flight
 */
export async function replayedResult(
  db: Reader,
  key: IdempotencyKey,
  inputHash: string,
  now: number,
): Promise<string | null> {
  const { idempotency } = db.t;
  const [row] = await db.q.select().from(idempotency).where(rowOf(db, key));
  if (!row || row.createdAt <= now - RETENTION) return null;
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

/** Whether a call with the key was answered in the last 24 hours, or is running. */
export async function isKeyUsed(db: Reader, key: IdempotencyKey, now: number): Promise<boolean> {
  const { idempotency } = db.t;
  const used = db.q.select({ createdAt: idempotency.createdAt }).from(idempotency).where(rowOf(db, key));
  return (await used).some(({ createdAt }) => createdAt > now - RETENTION);
}

/**
 * Takes the key for a first call, in one statement that does not read before it writes: on PostgreSQL, reads would cause
 * serialization conflicts between unrelated calls.
 * @throws Refusal idempotency_in_flight when another call has the key
 */
export async function acquireKey(db: Engine, key: IdempotencyKey, inputHash: string, now: number): Promise<KeyLease> {
  const owner = randomUUID();
  const lease = { inputHash, owner, lockedUntil: now + LEASE, createdAt: now, result: null };
  const taken = await db
    .tx((tx) => {
      const { idempotency } = tx.t;
      const isExpired = lte(idempotency.createdAt, now - RETENTION);
      const isAbandoned = and(isNull(idempotency.result), lte(idempotency.lockedUntil, now));
      return tx.q
        .insert(idempotency)
        .values({ ...key, ...lease })
        .onConflictDoUpdate({
          target: [idempotency.accountId, idempotency.operation, idempotency.key],
          set: lease,
          setWhere: or(isExpired, isAbandoned)!,
        })
        .returning({ owner: idempotency.owner });
    }, ONE_ROW)
    .catch((thrown: unknown) => {
      // The statement may have been committed. Unless the key is released, it stays taken until the lease ends.
      if (isUnavailable(thrown)) releaseLater(db, { ...key, owner });
      throw thrown;
    });
  if (taken.length === 0) throw inFlightRefusal();
  return { ...key, owner };
}

/** Writes the answer, in the transaction of the work. @throws Refusal idempotency_in_flight if another call took the key */
export async function storeResult(tx: Tx, lease: KeyLease, result: string): Promise<void> {
  const { idempotency } = tx.t;
  const written = await tx.q
    .update(idempotency)
    .set({ result, owner: null })
    .where(and(rowOf(tx, lease), eq(idempotency.owner, lease.owner)))
    .returning({ key: idempotency.key });
  if (written.length === 0) throw inFlightRefusal();
}

/**
 * Releases the key of a call that failed, so that it can be repeated; retries while the database is unavailable. A key
 * whose answer was written has no owner any more, and stays.
 */
export async function releaseKey(db: Engine, lease: KeyLease): Promise<void> {
  try {
    await deleteLease(db, lease);
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    releaseLater(db, lease);
  }
}

/** Interval of the retries to release a key, in ms; when the lease ends the key is free by itself. */
const RETRY_INTERVAL = 2 * SECOND;

function releaseLater(db: Engine, lease: KeyLease, retriesLeft = LEASE / RETRY_INTERVAL): void {
  const timer = setTimeout(() => {
    deleteLease(db, lease).catch(() => {
      if (retriesLeft > 0) releaseLater(db, lease, retriesLeft - 1);
    });
  }, RETRY_INTERVAL);
  // If the process stops meanwhile, the key is free when its lease ends.
  timer.unref();
}

async function deleteLease(db: Engine, lease: KeyLease): Promise<void> {
  const { idempotency } = db.t;
  await db.tx(async (tx) => {
    await tx.q.delete(idempotency).where(and(rowOf(tx, lease), eq(idempotency.owner, lease.owner)));
  });
}

/** Deletes keys older than 24 hours. */
export async function purgeIdempotency(db: Engine, now: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.q.delete(tx.t.idempotency).where(lt(tx.t.idempotency.createdAt, now - RETENTION));
  });
}

function rowOf(db: Reader, { accountId, operation, key }: IdempotencyKey) {
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

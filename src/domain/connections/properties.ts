import { and, asc, eq, isNull, lte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { recordEvents } from "../events/record.ts";
import type { ConnectionFailure, ConnectionKind, ConnectionRow, Property } from "./connections.ts";

/** Stores what the other side has shown: the connection works. */
export async function recordProperties(tx: Tx, id: string, properties: readonly Property[], now: number) {
  const { connections } = tx.t;
  const looked = { properties: JSON.stringify(properties), checkedAt: now, nextLookAt: now + DAY };
  await tx.q
    .update(connections)
    .set({ ...looked, failingSince: null, failure: null })
    .where(and(eq(connections.id, id), isNull(connections.endedAt)));
}

/** Marks that a connection gives no access, and tells of it once. It is looked at once a day all the same. */
export async function recordFailing(tx: Tx, id: string, failure: ConnectionFailure, now: number): Promise<void> {
  const { connections } = tx.t;
  const [row] = await tx.q
    .update(connections)
    .set({ failingSince: now, failure, nextLookAt: now + DAY })
    .where(and(eq(connections.id, id), isNull(connections.failingSince), isNull(connections.endedAt)))
    .returning();
  if (!row) return void (await lookAt(tx, id, now + DAY));
  const data = { connection_id: id, kind: row.kind as ConnectionKind, name: row.name, reason: failure };
  await recordEvents(tx, row.accountId, [{ type: "connection.failing", data }], now);
}

/** Sets when its properties are read next. */
export async function lookAt({ q, t: { connections } }: Tx, id: string, at: number): Promise<void> {
  await q.update(connections).set({ nextLookAt: at }).where(eq(connections.id, id));
}

/** The connections whose properties are to be read. */
export async function dueConnections({ q, t: { connections } }: Reader, now: number): Promise<ConnectionRow[]> {
  const isDue = and(lte(connections.nextLookAt, now), isNull(connections.endedAt));
  return q.select().from(connections).where(isDue).orderBy(asc(connections.nextLookAt)).limit(100);
}

import { and, asc, type Column, eq, gt } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";

const BATCH = 500;

/** Tables whose rows say of which account, or of which person, they are. */
type Owned<By extends "accountId" | "personId"> = {
  [K in keyof Schema]: Schema[K] extends Record<By, unknown> ? K : never;
}[keyof Schema];

type RowOf<Name extends keyof Schema> = Schema[Name]["$inferSelect"];

/**
 * The rows of a table that belong to an account, in batches.
 * @param key a column whose values are different in all of them, by which they are ordered
 */
export function rowsOf<Name extends Owned<"accountId">>(
  db: Reader,
  name: Name,
  key: keyof RowOf<Name> & string,
  accountId: string,
): AsyncIterable<RowOf<Name>[]> {
  return rowsBy(db, name, { key, by: "accountId", id: accountId });
}

/** The same of a person. */
export function rowsOfPerson<Name extends Owned<"personId">>(
  db: Reader,
  name: Name,
  key: keyof RowOf<Name> & string,
  personId: string,
): AsyncIterable<RowOf<Name>[]> {
  return rowsBy(db, name, { key, by: "personId", id: personId });
}

async function* rowsBy<Name extends keyof Schema>(
  db: Reader,
  name: Name,
  { key, by, id }: { key: keyof RowOf<Name> & string; by: string; id: string },
): AsyncIterable<RowOf<Name>[]> {
  const table = db.t[name] as unknown as Schema["usage"];
  const columns = table as unknown as Record<string, Column>;
  const column = columns[key]!;
  for (let after: unknown; ; ) {
    const isAfter = after === undefined ? undefined : gt(column, after);
    const query = db.q
      .select()
      .from(table)
      .where(and(eq(columns[by]!, id), isAfter));
    const rows = (await query.orderBy(asc(column)).limit(BATCH)) as unknown as RowOf<Name>[];
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)![key];
  }
}

/** The calls of all keys of an account by day, a batch for each key. */
export async function* keyUsageOf(db: Reader, accountId: string): AsyncIterable<RowOf<"keyUsage">[]> {
  const { keyUsage } = db.t;
  for await (const keys of rowsOf(db, "apiKeys", "id", accountId)) {
    for (const { id } of keys) {
      const isOfKey = and(eq(keyUsage.accountId, accountId), eq(keyUsage.keyId, id));
      yield await db.q.select().from(keyUsage).where(isOfKey).orderBy(asc(keyUsage.day));
    }
  }
}

/** The days of coverage of all hosts of an account, a batch for each host. */
export async function* coverageDaysOf(db: Reader, accountId: string): AsyncIterable<RowOf<"coverageDays">[]> {
  const { coverageDays: days } = db.t;
  for await (const hosts of rowsOf(db, "coverageHosts", "host", accountId)) {
    for (const { host } of hosts) {
      const isOfHost = and(eq(days.accountId, accountId), eq(days.host, host));
      yield await db.q.select().from(days).where(isOfHost).orderBy(asc(days.day));
    }
  }
}

/** The log of an account, and then of how a person signs in. */
export async function* securityLogOf(
  db: Reader,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
): AsyncIterable<RowOf<"securityEvents">[]> {
  yield* rowsOf(db, "securityEvents", "id", accountId);
  for await (const rows of rowsOfPerson(db, "securityEvents", "id", personId))
    yield rows.filter((row) => row.accountId === null);
}

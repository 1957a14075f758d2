import { and, asc, eq, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Person } from "./people.ts";

type Tables = Pick<Reader, "q" | "t">;

/** The address of the oldest owner of an account, which is the account's, as an expression in a query of accounts. */
export function emailOfOwner({ q, t: { accounts, members, people } }: Tables) {
  const isOwner = and(eq(members.accountId, accounts.id), eq(members.role, "owner"));
  const emails = q
    .select({ email: people.email })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(isOwner)
    .orderBy(asc(members.joinedAt), asc(members.personId))
    .limit(1);
  return sql<string>`coalesce(${emails}, '')`;
}

/** The owners of an account: who joined first comes first. A tombstone has none. */
export async function ownersOf(db: Reader, accountId: string): Promise<Person[]> {
  const { members, people } = db.t;
  const rows = await db.q
    .select({ person: people })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")))
    .orderBy(asc(members.joinedAt), asc(members.personId));
  return rows.map(({ person }) => person);
}

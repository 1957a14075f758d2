import { and, desc, eq, gte, inArray, or, sql, sum } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { OPERATOR, PERSON } from "../../platform/principal.ts";

/** Credits that were spent, and what of them has come back in the same days. */
export interface Spent {
  readonly spent: number;
  readonly returned: number;
}

/** Who has spent: a key, an app or agent by one of its connections, the people at the website, or the operator. */
export interface SpenderSum extends Spent {
  /** Null: the entries are older than what is kept of credentials. */
  readonly credential: string | null;
  readonly kind: "key" | "app" | "agent" | "person" | "operator" | "unknown";
  readonly name: string;
}

/** What was spent by a person, at the website and by what acts for the person. */
export interface PersonSum extends Spent {
  /** Null: nobody who is known, as the operator. */
  readonly personId: string | null;
  /** What the person is in the account now; null: no member of it any more. */
  readonly role: string | null;
  readonly email: string | null;
}

export interface SpendReport extends Spent {
  /** The start of the first day, in ms. */
  readonly from: number;
  /** Most first. */
  readonly bySpender: readonly SpenderSum[];
  /** Most first. */
  readonly byPerson: readonly PersonSum[];
  /** A row for each day, oldest first. */
  readonly byDay: readonly (Spent & { readonly at: number })[];
  /** Most first. */
  readonly byProject: readonly (Spent & { readonly projectId: string; readonly name: string })[];
}

/**
 * What the ledger says of the last days, today included, by UTC day of real time. Spenders and projects add up to the same sums as
 * the days, as far as they are listed: the ones with the most, most first.
 */
export async function spendReport(
  db: Reader,
  accountId: string,
  { days, rows, now }: { days: number; rows: number; now: number },
): Promise<SpendReport> {
  const { ledger } = db.t;
  const firstDay = Math.floor(now / DAY) - days + 1;
  const isIn = and(
    eq(ledger.accountId, accountId),
    inArray(ledger.kind, ["spend", "return"]),
    gte(ledger.at, firstDay * DAY),
  );
  const day = sql<number>`${ledger.at} / ${sql.raw(String(DAY))}`.mapWith(Number);
  // A return is booked without a credential and a person: it belongs to whoever made its project.
  const credential = sql<string | null>`coalesce(${ledger.credential}, ${db.t.projects.credential})`;
  const personId = sql<string | null>`coalesce(${ledger.personId}, ${db.t.projects.personId})`;
  const booked = await db.q
    .select({ day, credential, personId, ...sums(db) })
    .from(ledger)
    .leftJoin(db.t.projects, eq(db.t.projects.id, ledger.projectId))
    .where(isIn)
    .groupBy(day, credential, personId);
  const { spent } = sums(db);
  const byProject = await db.q
    .select({ projectId: db.t.projects.id, name: db.t.projects.name, ...sums(db) })
    .from(ledger)
    .innerJoin(db.t.projects, eq(db.t.projects.id, ledger.projectId))
    .where(isIn)
    .groupBy(db.t.projects.id, db.t.projects.name, db.t.projects.no)
    .orderBy(desc(spent), desc(db.t.projects.no))
    .limit(rows);
  const byDay = Array.from({ length: days }, (_, at) => ({ at: (firstDay + at) * DAY, spent: 0, returned: 0 }));
  for (const { day, spent, returned } of booked) {
    const on = byDay[day - firstDay];
    if (!on) continue;
    on.spent += spent;
    on.returned += returned;
  }
  return {
    from: firstDay * DAY,
    spent: byDay.reduce((total, one) => total + one.spent, 0),
    returned: byDay.reduce((total, one) => total + one.returned, 0),
    byPerson: (await withRoles(db, accountId, booked)).slice(0, rows),
    bySpender: (await named(db, accountId, booked)).slice(0, rows),
    byDay,
    byProject,
  };
}

/** The sums by person, most first. */
async function withRoles(
  db: Reader,
  accountId: string,
  rows: readonly (Spent & { readonly personId: string | null })[],
): Promise<PersonSum[]> {
  const { members, people } = db.t;
  const found = await db.q
    .select({ id: people.id, email: people.email, role: members.role })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(eq(members.accountId, accountId));
  const known = new Map(found.map((one) => [one.id, one]));
  const byPerson = new Map<string | null, PersonSum>();
  for (const { personId, spent, returned } of rows) {
    const { role = null, email = null } = known.get(personId ?? "") ?? {};
    const before = byPerson.get(personId) ?? { personId, role, email, spent: 0, returned: 0 };
    byPerson.set(personId, { ...before, spent: before.spent + spent, returned: before.returned + returned });
  }
  return [...byPerson.values()].sort((a, b) => b.spent - a.spent);
}

function sums({ t: { ledger } }: Reader) {
  const of = (kind: "spend" | "return", sign: string) =>
    sum(sql`CASE WHEN ${ledger.kind} = ${kind} THEN ${sql.raw(sign)}${ledger.credits} ELSE 0 END`).mapWith(Number);
  return { spent: of("spend", "-"), returned: of("return", "") };
}

/** The sums by holder, so that an app that was connected again is one row; most first. */
async function named(
  db: Reader,
  accountId: string,
  rows: readonly (Spent & { readonly credential: string | null })[],
): Promise<SpenderSum[]> {
  const known = await credentialsIn(db, accountId, [...new Set(rows.flatMap(({ credential }) => credential ?? []))]);
  const who = (credential: string | null): Omit<SpenderSum, keyof Spent> & { holder: string } => {
    if (credential === PERSON) return { credential, holder: PERSON, kind: "person", name: "People at the website" };
    if (credential === OPERATOR) return { credential, holder: OPERATOR, kind: "operator", name: "The operator" };
    const holder = known.find(({ id }) => id === credential)?.holder;
    const newest = known.find((one) => one.holder === holder);
    if (!newest) return { credential: null, holder: "", kind: "unknown", name: "Not known any more" };
    return {
      credential: newest.id,
      holder: newest.holder,
      kind: newest.kind === "key" || newest.kind === "agent" ? newest.kind : "app",
      name: newest.name,
    };
  };
  const byHolder = new Map<string, SpenderSum>();
  for (const { credential, spent, returned } of rows) {
    const { holder, ...facts } = who(credential);
    const before = byHolder.get(holder) ?? { ...facts, spent: 0, returned: 0 };
    byHolder.set(holder, { ...before, spent: before.spent + spent, returned: before.returned + returned });
  }
  return [...byHolder.values()].sort((a, b) => b.spent - a.spent || a.name.localeCompare(b.name, "en"));
}

/**
 * The keys, apps and agents with these ids, and the newest connection of each of these apps and agents; newest first. A key is its
 * own holder.
 */
async function credentialsIn(db: Reader, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { apiKeys, grants } = db.t;
  const keys = db.q
    .select({ id: apiKeys.id, holder: apiKeys.id, kind: sql<string>`'key'`, name: apiKeys.name, at: apiKeys.createdAt })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, ids)));
  const holders = db.q
    .select({ holder: grants.holder })
    .from(grants)
    .where(and(eq(grants.accountId, accountId), inArray(grants.id, ids)));
  const newest = db.q
    .select({ at: sql`max(${grants.createdAt})` })
    .from(grants)
    .where(and(eq(grants.accountId, accountId), inArray(grants.holder, holders)))
    .groupBy(grants.holder);
  const isNewest = and(inArray(grants.holder, holders), inArray(grants.createdAt, newest));
  const connections = db.q
    .select({ id: grants.id, holder: grants.holder, kind: grants.kind, name: grants.name, at: grants.createdAt })
    .from(grants)
    .where(and(eq(grants.accountId, accountId), or(inArray(grants.id, ids), isNewest)));
  return (await connections.unionAll(keys)).toSorted((a, b) => b.at - a.at);
}

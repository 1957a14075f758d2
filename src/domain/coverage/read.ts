import { and, asc, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** What Google has of the pages of one host, now and by day. */
export interface Coverage {
  readonly host: string;
  readonly pages: number;
  readonly inGoogle: number;
  readonly notInGoogle: number;
  /** Service time of the newest change that is counted. */
  readonly asOf: number;
  /** Days from sending to the check that first found a page; null while none was found. */
  readonly medianDays: number | null;
  /** Why pages are not in Google, the most frequent reasons first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** Ascending, from the first day asked for on which the host had pages. */
  readonly series: readonly { readonly day: number; readonly pages: number; readonly inGoogle: number }[];
}

/** Reasons of a host. */
const REASONS = 5;

interface Wanted {
  readonly host: string | null;
  /** How many days, the last of which is the day of `now`. */
  readonly days: number;
  readonly limit: number;
  readonly offset: number;
  /** Service time. */
  readonly now: number;
}

/** A page of an account's hosts, the ones with the most pages first, and whether there are more. */
export async function coverageOf(
  db: Reader,
  accountId: string,
  { host, days, limit, offset, now }: Wanted,
): Promise<{ hosts: Coverage[]; hasMore: boolean }> {
  const { coverageHosts } = db.t;
  const rows = await db.q
    .select()
    .from(coverageHosts)
    .where(and(eq(coverageHosts.accountId, accountId), host === null ? undefined : eq(coverageHosts.host, host)))
    .orderBy(desc(coverageHosts.pages), asc(coverageHosts.host))
    .limit(limit + 1)
    .offset(offset);
  const shown = rows.slice(0, limit);
  const last = Math.floor(now / DAY);
  const first = last - days + 1;
  const known = await daysOf(db, accountId, { hosts: shown.map((row) => row.host), first });
  const hosts = shown.map(({ reasons, found, ...row }) => ({
    ...row,
    medianDays: medianIn(JSON.parse(found)),
    reasons: Object.entries(JSON.parse(reasons) as Record<string, number>)
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
      .slice(0, REASONS),
    series: seriesOf(known.get(row.host) ?? [], first, last),
  }));
  return { hosts, hasMore: rows.length > limit };
}

interface Day {
  readonly day: number;
  readonly pages: number;
  readonly inGoogle: number;
}

/** The days on which the counts of hosts changed, from the last one before `first` on; ascending. */
async function daysOf(
  db: Reader,
  accountId: string,
  { hosts, first }: { hosts: readonly string[]; first: number },
): Promise<ReadonlyMap<string, Day[]>> {
  if (hosts.length === 0) return new Map();
  const { coverageDays: days } = db.t;
  const before = sql`coalesce((SELECT max(b.day) FROM coverage_days b
    WHERE b.account_id = ${days.accountId} AND b.host = ${days.host} AND b.day <= ${first}), 0)`;
  const rows = await db.q
    .select({ host: days.host, day: days.day, pages: days.pages, inGoogle: days.inGoogle })
    .from(days)
    .where(and(eq(days.accountId, accountId), inArray(days.host, [...hosts]), gte(days.day, before)))
    .orderBy(asc(days.host), asc(days.day));
  const byHost = new Map<string, Day[]>(hosts.map((host) => [host, []]));
  for (const { host, ...day } of rows) byHost.get(host)!.push(day);
  return byHost;
}

/** Each day of the span, with the counts of the last change until then. */
function seriesOf(changes: readonly Day[], first: number, last: number): Day[] {
  const series: Day[] = [];
  let next = 0;
  for (let day = Math.max(first, changes[0]?.day ?? last + 1); day <= last; day++) {
    while (next < changes.length && changes[next]!.day <= day) next += 1;
    const { pages, inGoogle } = changes[next - 1]!;
    series.push({ day, pages, inGoogle });
  }
  return series;
}

/** @param found how many pages by tenths of a day */
function medianIn(found: Readonly<Record<string, number>>): number | null {
  let all = 0;
  const sorted = Object.entries(found)
    .map(([tenths, count]) => ({ days: Number(tenths) / 10, count }))
    .sort((a, b) => a.days - b.days)
    .map(({ days, count }) => {
      all += count;
      return { days, upTo: all };
    });
  if (all === 0) return null;
  const at = (index: number) => sorted.find(({ upTo }) => index < upTo)!.days;
  return (at((all - 1) >> 1) + at(all >> 1)) / 2;
}

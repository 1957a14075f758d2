import { and, asc, desc, eq, exists, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import type { LoggedCrawls } from "../../domain/projects/facts.ts";
import type { ProjectRow } from "../../domain/projects/read.ts";
import { DAY } from "../../platform/clock.ts";
import { numbersOf, urlNumbers } from "../../platform/urls/url-numbers.ts";
import { AGENT_SEARCHERS, type CrawlerName, ENGINE_CRAWLERS, engineOf } from "./crawlers.ts";
import type { Verification } from "./verify.ts";

/** Visits of one crawler to one page. */
export interface PageVisits {
  readonly url: string;
  readonly agent: CrawlerName;
  readonly verified: Verification;
  firstAt: number;
  lastAt: number;
  count: number;
  /** Of the last one. */
  status: number | null;
}

/** How long visits are kept after the last of them, in ms. */
export const VISITS_KEPT = 400 * DAY;
/** How long the digest of a log is kept. */
const DIGESTS_KEPT = 7 * DAY;

/** Rows of one statement. */
const ROWS = 500;

export type VisitRow = Schema["visits"]["$inferSelect"];

/** Remembers a log by its digest. @returns false for one that was imported before */
export async function rememberImport(
  tx: Tx,
  row: { accountId: string; siteId: string; digest: string; at: number },
): Promise<boolean> {
  const { visitImports } = tx.t;
  const isIts = and(
    eq(visitImports.accountId, row.accountId),
    eq(visitImports.siteId, row.siteId),
    eq(visitImports.digest, row.digest),
  );
  // What is over and not deleted yet counts no more.
  await tx.q.delete(visitImports).where(and(isIts, lt(visitImports.at, row.at - DIGESTS_KEPT)));
  const made = await tx.q.insert(visitImports).values(row).onConflictDoNothing().returning({ id: visitImports.id });
  return made.length > 0;
}

/** Adds visits to the ones that are known. Logs may come late, and in any order. */
export async function recordVisits(tx: Tx, accountId: string, visits: readonly PageVisits[]): Promise<void> {
  const { visits: table } = tx.t;
  // In one order, so that two imports never wait for each other's rows.
  const rows = visits.map((one) => ({ accountId, urlHash: urlNumbers([one.url])[0]!, ...one }));
  rows.sort((a, b) => a.urlHash - b.urlHash);
  const isNewer = sql`excluded.last_at >= ${table.lastAt}`;
  for (let from = 0; from < rows.length; from += ROWS)
    await tx.q
      .insert(table)
      .values(rows.slice(from, from + ROWS))
      .onConflictDoUpdate({
        target: [table.accountId, table.urlHash, table.agent, table.verified],
        set: {
          firstAt: sql`CASE WHEN excluded.first_at < ${table.firstAt} THEN excluded.first_at ELSE ${table.firstAt} END`,
          lastAt: sql`CASE WHEN ${isNewer} THEN excluded.last_at ELSE ${table.lastAt} END`,
          status: sql`CASE WHEN ${isNewer} THEN excluded.status ELSE ${table.status} END`,
          count: sql`${table.count} + excluded.count`,
        },
      });
}

/**
 * The visits to some pages that have any, the latest first: a row for each crawler and way in which it is known.
 * @param which `crawls`: only verified ones by crawlers of the engines
 */
export async function visitsTo(
  db: Reader,
  accountId: string,
  { urls, which }: { readonly urls: readonly string[]; readonly which: "all" | "crawls" },
): Promise<ReadonlyMap<string, readonly VisitRow[]>> {
  const isOne = urls.length === 1;
  if (urls.length === 0 || (!isOne && !(await hasVisits(db, accountId)))) return new Map();
  const query = db.prepared(`${which}_visits_to_${isOne ? "page" : "pages"}`, ({ q, t: { visits } }) => {
    const { accountId, urlHash } = visits;
    const isOfPage = isOne ? eq(urlHash, sql.placeholder("hash")) : db.amongListed(urlHash, "hashes");
    const isTheirs = and(eq(accountId, sql.placeholder("accountId")), isOfPage);
    return q
      .select()
      .from(visits)
      .where(which === "all" ? isTheirs : and(isTheirs, isCrawl({ visits })))
      .orderBy(desc(visits.lastAt), asc(visits.id));
  });
  const numbers = urlNumbers(urls);
  const pages = isOne ? { hash: numbers[0] } : { hashes: JSON.stringify(numbers) };
  const found = new Map<string, VisitRow[]>();
  for (const row of await query.execute({ accountId, ...pages })) {
    const others = found.get(row.url);
    if (others) others.push(row);
    else found.set(row.url, [row]);
  }
  return found;
}

/** Most accounts have imported no log. */
async function hasVisits(db: Reader, accountId: string): Promise<boolean> {
  const query = db.prepared("any_visit", ({ q, t: { visits } }) =>
    q
      .select({ id: visits.id })
      .from(visits)
      .where(eq(visits.accountId, sql.placeholder("accountId")))
      .limit(1),
  );
  return (await query.execute({ accountId })).length > 0;
}

function isCrawl({ visits }: Pick<Schema, "visits">): SQL | undefined {
  return and(ne(visits.verified, "no"), inArray(visits.agent, ENGINE_CRAWLERS));
}

/** How many of some pages a searcher of agents has read, and when last. */
export interface SearcherVisits {
  readonly agent: string;
  /** Pages with a verified visit, and pages where somebody only says so. */
  readonly verified: number;
  readonly unverified: number;
  readonly lastAt: number | null;
}

/** What one crawler has read of a host. */
export interface HostVisits {
  readonly agent: string;
  readonly verified: Verification;
  readonly pages: number;
  readonly count: number;
  readonly lastAt: number;
}

/** Which crawlers came to a host by its own access logs, the most visits first. */
export async function visitsOfHost(db: Reader, accountId: string, host: string): Promise<HostVisits[]> {
  const { visits } = db.t;
  const number = (value: SQL) => sql<number>`${value}`.mapWith(Number);
  const isOfHost = ["https", "http"].map((scheme) => {
    const prefix = `${scheme}://${host}/`;
    return eq(sql`substr(${visits.url}, 1, ${sql.raw(String(prefix.length))})`, prefix);
  });
  const count = number(sql`sum(${visits.count})`);
  const rows = await db.q
    .select({
      ...{ agent: visits.agent, verified: visits.verified, count },
      pages: number(sql`count(*)`),
      lastAt: number(sql`max(${visits.lastAt})`),
    })
    .from(visits)
    .where(and(eq(visits.accountId, accountId), or(...isOfHost)))
    .groupBy(visits.agent, visits.verified)
    .orderBy(desc(count), asc(visits.agent), asc(visits.verified));
  return rows.map((row) => ({ ...row, verified: row.verified as Verification }));
}

/** What the account's access logs say of the pages of a project. */
export interface ProjectVisits {
  readonly searchers: readonly SearcherVisits[];
  readonly crawls: LoggedCrawls;
}

/** Null where the account has no visits at all. */
export async function visitsOfProject(db: Reader, { accountId, no }: ProjectRow): Promise<ProjectVisits | null> {
  const { urlSets, visits } = db.t;
  const anyVisit = db.q.select({ id: visits.id }).from(visits).where(eq(visits.accountId, accountId)).limit(1);
  const isIts = and(eq(urlSets.projectNo, no), exists(anyVisit));
  const [set] = await db.q.select({ hashes: urlSets.hashes }).from(urlSets).where(isIts);
  if (!set) return null;
  const pages = { accountId, urlHashes: numbersOf(set.hashes) };
  return { searchers: await searchersOf(db, pages), crawls: await crawlsOf(db, pages) };
}

/** Pages of an account, by the numbers of their URLs. */
interface Pages {
  readonly accountId: string;
  readonly urlHashes: number[];
}

async function searchersOf(db: Reader, { accountId, urlHashes }: Pages): Promise<SearcherVisits[]> {
  const { visits } = db.t;
  const number = (value: SQL) => sql<number>`${value}`.mapWith(Number);
  const isTheirs = and(eq(visits.accountId, accountId), db.among(visits.urlHash, urlHashes));
  const rows = await db.q
    .select({
      agent: visits.agent,
      verified: number(sql`count(DISTINCT CASE WHEN ${visits.verified} <> 'no' THEN ${visits.urlHash} END)`),
      unverified: number(sql`count(DISTINCT CASE WHEN ${visits.verified} = 'no' THEN ${visits.urlHash} END)`),
      lastAt: sql<number | null>`max(CASE WHEN ${visits.verified} <> 'no' THEN ${visits.lastAt} END)`.mapWith(Number),
    })
    .from(visits)
    .where(and(isTheirs, inArray(visits.agent, [...AGENT_SEARCHERS])))
    .groupBy(visits.agent);
  const none = { verified: 0, unverified: 0, lastAt: null };
  return AGENT_SEARCHERS.map((agent) => {
    const row = rows.find((one) => one.agent === agent) ?? { agent, ...none };
    return { ...row, lastAt: row.verified > 0 ? row.lastAt : null };
  });
}

/** The last verified visit of a crawler of each engine, by the position of the page. */
async function crawlsOf(db: Reader, { accountId, urlHashes }: Pages): Promise<LoggedCrawls> {
  const { urlHash, agent, lastAt, accountId: owner } = db.t.visits;
  const rows = await db.q
    .select({ urlHash, agent, lastAt })
    .from(db.t.visits)
    .where(and(eq(owner, accountId), isCrawl(db.t), db.among(urlHash, urlHashes)));
  const positions = new Map(urlHashes.map((hash, position) => [hash, position]));
  const crawls = { google: new Map<number, number>(), bing: new Map<number, number>() };
  for (const row of rows) {
    const ofEngine = crawls[engineOf(row.agent as CrawlerName)!];
    const position = positions.get(row.urlHash)!;
    ofEngine.set(position, Math.max(row.lastAt, ofEngine.get(position) ?? 0));
  }
  return crawls;
}

/** Most rows that one transaction deletes. */
const BATCH = 500;

/** Deletes visits and digests whose time is over. @param now real time */
export async function purgeVisits(db: Engine, now: number): Promise<void> {
  while ((await db.tx((tx) => purgeBatch(tx, now))) >= BATCH);
  await db.tx(async ({ q, t: { visitImports } }) => {
    await q.delete(visitImports).where(lt(visitImports.at, now - DIGESTS_KEPT));
  });
}

async function purgeBatch(tx: Tx, now: number): Promise<number> {
  const { visits } = tx.t;
  const old = tx.q
    .select({ id: visits.id })
    .from(visits)
    .where(lt(visits.lastAt, now - VISITS_KEPT))
    .limit(BATCH);
  return (await tx.q.delete(visits).where(inArray(visits.id, old)).returning({ id: visits.id })).length;
}

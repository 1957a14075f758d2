import { and, asc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Engine, Tx, WorkLink } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { urlNumbers } from "../../platform/urls/url-numbers.ts";
import type { StoredVerdict } from "./changes.ts";
import { HostCounts, type PageRow, type Said } from "./counts.ts";

/** Links that one transaction counts. */
const LINKS_AT_ONCE = 1_000;

/** Counts new pages and verdicts, the oldest first, until nothing is left or it should stop. */
export async function foldCoverage(db: Engine, shouldStop: () => boolean = () => false): Promise<void> {
  while (!shouldStop() && (await db.tx(foldNext)));
}

/** Counts the oldest verdicts, or links of the oldest project that is not counted. @returns whether there were any */
async function foldNext(tx: Tx): Promise<boolean> {
  const { coverageChanges, projects } = tx.t;
  const [change] = await tx.q.select().from(coverageChanges).orderBy(asc(coverageChanges.id)).limit(1);
  const { no, accountId, total, covered, createdAt } = projects;
  const [fresh] = await tx.q
    .select({ no, accountId, total, covered, createdAt })
    .from(projects)
    .where(lt(covered, total))
    .orderBy(asc(createdAt))
    .limit(1);
  if (fresh && (!change || fresh.createdAt <= change.at)) await countLinks(tx, fresh);
  else if (change) await countVerdicts(tx, change);
  return fresh !== undefined || change !== undefined;
}

type Project = Schema["projects"]["$inferSelect"];

/** Counts the next links of a project as pages. */
async function countLinks(
  tx: Tx,
  project: Pick<Project, "no" | "accountId" | "total" | "covered" | "createdAt">,
): Promise<void> {
  const { projects } = tx.t;
  const { no, covered: from, createdAt } = project;
  const end = Math.min(from + LINKS_AT_ONCE, project.total);
  const links = await tx.linksBetween(linkKey(no, from), linkKey(no, end - 1));
  await count(
    tx,
    project.accountId,
    saidOf(links, () => null),
    createdAt,
  );
  await tx.q.update(projects).set({ covered: end }).where(eq(projects.no, no));
}

/** Counts the verdicts of a step. Without their project, its account was deleted. */
async function countVerdicts(tx: Tx, change: Schema["coverageChanges"]["$inferSelect"]): Promise<void> {
  const { coverageChanges, projects } = tx.t;
  const { id, projectNo, at } = change;
  const byPosition = new Map<number, Said["verdict"]>();
  for (const [result, reason, first, members] of JSON.parse(change.verdicts) as StoredVerdict[])
    for (const position of unpackPositions({ first, members: Buffer.from(members, "base64") }))
      byPosition.set(position, { result, reason });
  const positions = [...byPosition.keys()];
  const [from, to] = [Math.min(...positions), Math.max(...positions)];
  const { accountId } = projects;
  const [project] = await tx.q.select({ accountId }).from(projects).where(eq(projects.no, projectNo));
  if (project) {
    const links = await tx.linksBetween(linkKey(projectNo, from), linkKey(projectNo, to));
    const verdictOf = (position: number) => byPosition.get(position) ?? null;
    const decided = links.filter((link) => byPosition.has(positionOf(link.id)));
    await count(tx, project.accountId, saidOf(decided, verdictOf), at);
  }
  await tx.q.delete(coverageChanges).where(eq(coverageChanges.id, id));
}

/** What is said of links. @param verdictOf by position */
function saidOf(links: readonly WorkLink[], verdictOf: (position: number) => Said["verdict"]): Said[] {
  const hashes = urlNumbers(links.map(({ url }) => url));
  return links.map(({ id, url, sentAt }, at) => {
    return { url, urlHash: hashes[at]!, verdict: verdictOf(positionOf(id)), sentAt };
  });
}

async function count(tx: Tx, accountId: string, said: readonly Said[], at: number): Promise<void> {
  const before = await pagesOf(tx, accountId, said);
  const hosts = await hostsOf(tx, accountId, new Set(said.map(({ url }) => hostIn(url))));
  const changed = said.flatMap((one) => {
    const page = before.get(one.urlHash) ?? null;
    const now = hosts.get(hostIn(one.url))!.count(page, one, accountId, at);
    return now === page ? [] : [now];
  });
  if (changed.length === 0) return;
  await pageWriter(tx).execute({ rows: JSON.stringify(changed) });
  const rows = [...hosts.values()].map((host) => host.rows(accountId));
  await hostWriter(tx).execute({ rows: JSON.stringify(rows.map(({ host }) => host)) });
  await dayWriter(tx).execute({ rows: JSON.stringify(rows.map(({ day }) => day)) });
}

async function pagesOf(tx: Tx, accountId: string, said: readonly Said[]): Promise<ReadonlyMap<number, PageRow>> {
  const { coveragePages: pages } = tx.t;
  const hashes = said.map(({ urlHash }) => urlHash);
  const rows = await tx.q
    .select()
    .from(pages)
    .where(and(eq(pages.accountId, accountId), tx.among(pages.urlHash, hashes)));
  return new Map(rows.map((row) => [row.urlHash, row]));
}

async function hostsOf(tx: Tx, accountId: string, names: ReadonlySet<string>): Promise<Map<string, HostCounts>> {
  const { coverageHosts: hosts } = tx.t;
  const rows = await tx.q
    .select()
    .from(hosts)
    .where(and(eq(hosts.accountId, accountId), inArray(hosts.host, [...names])));
  const known = new Map(rows.map((row) => [row.host, row]));
  return new Map([...names].map((name) => [name, new HostCounts(name, known.get(name) ?? null)]));
}

/** The host of a URL in stored form. */
function hostIn(url: string): string {
  return url.split("/", 3)[2]!;
}

const pageWriter = (tx: Tx) =>
  tx.prepared("write_coverage_pages", ({ q, t: { coveragePages: pages } }) =>
    q
      .insert(pages)
      .select(tx.rowsOf(pages))
      .onConflictDoUpdate({
        target: [pages.accountId, pages.urlHash],
        set: {
          verdict: sql`excluded.verdict`,
          reason: sql`excluded.reason`,
          at: sql`excluded.at`,
          wasFound: sql`excluded.was_found`,
        },
      })
      .returning({ urlHash: pages.urlHash }),
  );

const hostWriter = (tx: Tx) =>
  tx.prepared("write_coverage_hosts", ({ q, t: { coverageHosts: hosts } }) =>
    q
      .insert(hosts)
      .select(tx.rowsOf(hosts))
      .onConflictDoUpdate({
        target: [hosts.accountId, hosts.host],
        set: {
          pages: sql`excluded.pages`,
          inGoogle: sql`excluded.in_google`,
          notInGoogle: sql`excluded.not_in_google`,
          reasons: sql`excluded.reasons`,
          found: sql`excluded.found`,
          asOf: sql`excluded.as_of`,
        },
      })
      .returning({ host: hosts.host }),
  );

const dayWriter = (tx: Tx) =>
  tx.prepared("write_coverage_days", ({ q, t: { coverageDays: days } }) =>
    q
      .insert(days)
      .select(tx.rowsOf(days))
      .onConflictDoUpdate({
        target: [days.accountId, days.host, days.day],
        set: {
          pages: sql`excluded.pages`,
          inGoogle: sql`excluded.in_google`,
          notInGoogle: sql`excluded.not_in_google`,
        },
      })
      .returning({ day: days.day }),
  );

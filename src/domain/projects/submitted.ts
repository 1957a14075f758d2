import { and, asc, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import type { LinkRow, Reader, Tx } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { hashUrls } from "../../platform/urls/urls.ts";
import { HashTable } from "./hash-table.ts";

/** Projects whose hashes are read in one batch: 5 MB at most. */
const PROJECT_BATCH = 64;

/** Links whose URLs are read in one batch. */
const LINK_BATCH = 1_000;

/** A link with the same hash as a URL of the list. */
interface Candidate {
  readonly index: number;
  readonly key: number;
}

export interface Fresh {
  /** In the order of the list. */
  readonly urls: string[];
  /** How many were left out, since they are submitted already. */
  readonly submitted: number;
}

export function allFresh(urls: string[]): Fresh {
  return { urls, submitted: 0 };
}

/**
 * The first `most` URLs of a list, for a project that the same transaction creates. With `skip`, URLs that are submitted
 * already are left out, and transactions of the same account wait for each other, so that no URL is taken twice.
 *
 * @returns also how many URLs of the list are left
 */
export async function takeFresh(
  tx: Tx,
  accountId: string,
  list: readonly string[],
  { skip, most }: { skip: boolean; most: number },
): Promise<Fresh & { left: number }> {
  if (!skip) return { urls: list.slice(0, most), submitted: 0, left: Math.max(0, list.length - most) };
  await waitForOthers(tx, accountId);
  const urls: string[] = [];
  let read = 0;
  while (urls.length < most && read < list.length) {
    const batch = list.slice(read, read + most - urls.length);
    read += batch.length;
    urls.push(...(await notSubmitted(tx, accountId, batch)).urls);
  }
  return { urls, submitted: read - urls.length, left: list.length - read };
}

/** Makes other transactions that spend of the account wait for this one, and this one for them. It comes first in it. */
export async function waitForOthers(tx: Tx, accountId: string): Promise<void> {
  const { accounts } = tx.t;
  await tx.q
    .update(accounts)
    .set({ entries: sql`${accounts.entries}` })
    .where(eq(accounts.id, accountId));
}

/**
 * The URLs that are not links of the account's index projects, nor held out of an experiment; failed links do not count. Compares
 * hashes first, then the URLs of links with an equal hash.
 *
 * @param pause lets the event loop run; must not be used inside a transaction
 */
export async function notSubmitted(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  pause: () => Promise<unknown> = async () => undefined,
): Promise<Fresh> {
  const submitted = await matchingLinks(db, accountId, urls, { pause });
  const fresh = urls.filter((_, index) => !submitted[index]);
  return { urls: fresh, submitted: urls.length - fresh.length };
}

/** The URLs that are links of the account's index projects, or held out of an experiment; failed links do not count. */
export async function submittedOf(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  pause: () => Promise<unknown>,
): Promise<Set<string>> {
  const submitted = await matchingLinks(db, accountId, urls, { pause });
  return new Set(urls.filter((_, index) => submitted[index]));
}

/** Which links are looked for; default: all of the account that did not fail. */
interface Sought {
  /** Which of the account's URL sets. */
  readonly isSet?: SQL;
  readonly isLink?: SQL;
  readonly pause?: () => Promise<unknown>;
}

/** @returns 1 at the index of each URL that is such a link */
export async function matchingLinks(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  { isLink = ne(db.t.links.state, "failed"), ...sets }: Sought,
): Promise<Uint8Array> {
  const submitted = new Uint8Array(urls.length);
  for await (const { candidates } of candidatesOf(db, accountId, urls, sets)) {
    const open = candidates.filter(({ index }) => !submitted[index]);
    for await (const { index } of linksAmong(db, urls, open, isLink)) submitted[index] = 1;
  }
  return submitted;
}

/** A link whose URL is in a list. */
export interface ListedLink extends Pick<LinkRow, "state" | "error"> {
  /** The place of its URL in the list. */
  readonly index: number;
  readonly position: number;
}

/** The links of the account's index projects that have one of the URLs, by project, the oldest project first. */
export async function* linksWithUrls(
  db: Reader,
  accountId: string,
  urls: readonly string[],
): AsyncIterable<{ projectNo: number; links: ListedLink[] }> {
  for await (const { projectNo, candidates } of candidatesOf(db, accountId, urls)) {
    const links: ListedLink[] = [];
    for await (const link of linksAmong(db, urls, candidates)) links.push(link);
    if (links.length > 0) yield { projectNo, links };
  }
}

/** The links that have the same hash as one of the URLs, by project. */
async function* candidatesOf(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  { isSet, pause = async () => undefined }: Omit<Sought, "isLink"> = {},
): AsyncIterable<{ projectNo: number; candidates: Candidate[] }> {
  const { urlSets } = db.t;
  const table = new HashTable(hashUrls(urls));
  for (let after = 0; ; ) {
    const sets = await db.q
      .select({ projectNo: urlSets.projectNo, hashes: urlSets.hashes })
      .from(urlSets)
      .where(and(eq(urlSets.accountId, accountId), gt(urlSets.projectNo, after), isSet))
      .orderBy(asc(urlSets.projectNo))
      .limit(PROJECT_BATCH);
    for (const { projectNo, hashes } of sets) {
      const candidates: Candidate[] = [];
      table.match(hashes, (index, position) => candidates.push({ index, key: linkKey(projectNo, position) }));
      if (candidates.length > 0) yield { projectNo, candidates };
      await pause();
    }
    if (sets.length < PROJECT_BATCH) break;
    after = sets.at(-1)!.projectNo;
  }
}

/** The candidates that really have the URL. */
async function* linksAmong(
  db: Reader,
  urls: readonly string[],
  candidates: readonly Candidate[],
  isLink?: SQL,
): AsyncIterable<ListedLink> {
  const { id, url, state, error } = db.t.links;
  for (let from = 0; from < candidates.length; from += LINK_BATCH) {
    const batch = candidates.slice(from, from + LINK_BATCH);
    const keys = batch.map(({ key }) => key);
    const rows = await db.q
      .select({ id, url, state, error })
      .from(db.t.links)
      .where(and(db.among(id, keys), isLink));
    const byKey = new Map(rows.map((row) => [row.id, row]));
    for (const { index, key } of batch) {
      const row = byKey.get(key);
      if (row?.url === urls[index]) yield { index, position: positionOf(key), state: row!.state, error: row!.error };
    }
  }
}

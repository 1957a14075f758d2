import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { linkKey } from "../../platform/ids.ts";
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
  const { accounts } = tx.t;
  await tx.q
    .update(accounts)
    .set({ entries: sql`${accounts.entries}` })
    .where(eq(accounts.id, accountId));
  const urls: string[] = [];
  let read = 0;
  while (urls.length < most && read < list.length) {
    const batch = list.slice(read, read + most - urls.length);
    read += batch.length;
    urls.push(...(await notSubmitted(tx, accountId, batch)).urls);
  }
  return { urls, submitted: read - urls.length, left: list.length - read };
}

/**
 * The URLs that are not links of the account's index projects; failed links do not count. Compares hashes first, then the
 * URLs of links with an equal hash.
 *
 * @param pause lets the event loop run; must not be used inside a transaction
 */
export async function notSubmitted(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  pause: () => Promise<unknown> = async () => undefined,
): Promise<Fresh> {
  const submitted = await findSubmitted(db, accountId, urls, pause);
  const fresh = urls.filter((_, index) => !submitted[index]);
  return { urls: fresh, submitted: urls.length - fresh.length };
}

/** The URLs that are links of the account's index projects; failed links do not count. */
export async function submittedOf(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  pause: () => Promise<unknown>,
): Promise<Set<string>> {
  const submitted = await findSubmitted(db, accountId, urls, pause);
  return new Set(urls.filter((_, index) => submitted[index]));
}

/** @returns 1 at the index of each URL that is a link */
async function findSubmitted(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  pause: () => Promise<unknown>,
): Promise<Uint8Array> {
  const { urlSets } = db.t;
  const table = new HashTable(hashUrls(urls));
  const submitted = new Uint8Array(urls.length);
  for (let after = 0; ; ) {
    const sets = await db.q
      .select({ projectNo: urlSets.projectNo, hashes: urlSets.hashes })
      .from(urlSets)
      .where(and(eq(urlSets.accountId, accountId), gt(urlSets.projectNo, after)))
      .orderBy(asc(urlSets.projectNo))
      .limit(PROJECT_BATCH);
    for (const { projectNo, hashes } of sets) {
      const candidates: Candidate[] = [];
      table.match(hashes, (index, position) => {
        if (!submitted[index]) candidates.push({ index, key: linkKey(projectNo, position) });
      });
      if (candidates.length > 0) await confirm(db, urls, candidates, submitted);
      await pause();
    }
    if (sets.length < PROJECT_BATCH) break;
    after = sets.at(-1)!.projectNo;
  }
  return submitted;
}

/** Marks the indices of URLs that a candidate really has. */
async function confirm(
  db: Reader,
  urls: readonly string[],
  candidates: readonly Candidate[],
  submitted: Uint8Array,
): Promise<void> {
  const { links } = db.t;
  for (let from = 0; from < candidates.length; from += LINK_BATCH) {
    const batch = candidates.slice(from, from + LINK_BATCH);
    const keys = batch.map(({ key }) => key);
    const rows = await db.q
      .select({ id: links.id, url: links.url })
      .from(links)
      .where(and(db.among(links.id, keys), ne(links.state, "failed")));
    const urlOf = new Map(rows.map(({ id, url }) => [id, url]));
    for (const { index, key } of batch) if (urlOf.get(key) === urls[index]) submitted[index] = 1;
  }
}

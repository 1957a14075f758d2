import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { linkKey } from "../../platform/ids.ts";
import { hashUrls } from "../../platform/urls/urls.ts";
import { HashTable } from "./hash-table.ts";

/** Projects whose hashes are read at a time: 5 MB at most. */
const PROJECTS = 64;

/** Links whose text is read at a time. */
const LINKS = 1_000;

/** A link that has the hash of a URL of the list. */
interface Candidate {
  readonly index: number;
  readonly key: number;
}

export interface Fresh {
  /** In the order of the list. */
  readonly urls: string[];
  /** How many were left out. */
  readonly submitted: number;
}

export function allFresh(urls: string[]): Fresh {
  return { urls, submitted: 0 };
}

/**
 * The first `most` URLs of a list, for a project that the same transaction creates; with `skip`, of those that are
 * not submitted. Two of an account that skip take turns, so that none is taken twice.
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
  let at = 0;
  while (urls.length < most && at < list.length) {
    const some = list.slice(at, at + most - urls.length);
    at += some.length;
    urls.push(...(await notSubmitted(tx, accountId, some)).urls);
  }
  return { urls, submitted: at - urls.length, left: list.length - at };
}

/**
 * The URLs that are not links of the account's index projects, failed ones excepted. Looks every hash of the
 * account up, and then at the text of what has one in common.
 *
 * @param pause lets the event loop go round; not inside a transaction
 */
export async function notSubmitted(
  db: Reader,
  accountId: string,
  urls: readonly string[],
  pause: () => Promise<unknown> = async () => undefined,
): Promise<Fresh> {
  const { urlSets } = db.t;
  const table = new HashTable(hashUrls(urls));
  const submitted = new Uint8Array(urls.length);
  for (let after = 0; ; ) {
    const sets = await db.q
      .select({ projectNo: urlSets.projectNo, hashes: urlSets.hashes })
      .from(urlSets)
      .where(and(eq(urlSets.accountId, accountId), gt(urlSets.projectNo, after)))
      .orderBy(asc(urlSets.projectNo))
      .limit(PROJECTS);
    for (const { projectNo, hashes } of sets) {
      const candidates: Candidate[] = [];
      table.match(hashes, (index, position) => {
        if (!submitted[index]) candidates.push({ index, key: linkKey(projectNo, position) });
      });
      if (candidates.length > 0) await confirm(db, urls, candidates, submitted);
      await pause();
    }
    if (sets.length < PROJECTS) break;
    after = sets.at(-1)!.projectNo;
  }
  const fresh = urls.filter((_, index) => !submitted[index]);
  return { urls: fresh, submitted: urls.length - fresh.length };
}

/** Marks the indices whose URL a candidate really has. */
async function confirm(
  db: Reader,
  urls: readonly string[],
  candidates: readonly Candidate[],
  submitted: Uint8Array,
): Promise<void> {
  const { links } = db.t;
  for (let from = 0; from < candidates.length; from += LINKS) {
    const some = candidates.slice(from, from + LINKS);
    const keys = some.map(({ key }) => key);
    const rows = await db.q
      .select({ id: links.id, url: links.url })
      .from(links)
      .where(and(db.among(links.id, keys), ne(links.state, "failed")));
    const urlOf = new Map(rows.map(({ id, url }) => [id, url]));
    for (const { index, key } of some) if (urlOf.get(key) === urls[index]) submitted[index] = 1;
  }
}

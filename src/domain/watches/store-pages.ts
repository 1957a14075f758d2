import { deflateRawSync, inflateRawSync } from "node:zlib";
import { and, eq, inArray } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { KnownPages } from "./known-pages.ts";
import type { WatchRow } from "./rows.ts";

/** Most bytes of the URLs of one part. */
const MAX_TEXT = 64 * 1024 * 1024;

/** What is known of the pages of a watch. */
export async function loadPages(db: Reader, { no, parts }: Pick<WatchRow, "no" | "parts">): Promise<KnownPages> {
  const { watchPages } = db.t;
  const rows = await db.q
    .select({ records: watchPages.records })
    .from(watchPages)
    .where(eq(watchPages.watchNo, no))
    .orderBy(watchPages.part);
  return KnownPages.of(
    rows.map(({ records }) => records),
    parts,
  );
}

/**
 * Writes the parts that have changed.
 * @param urlOf the URL of a page, by its index in `pages`, or "" where it is not needed any more; null: no URLs are stored
 */
export async function savePages(
  tx: Tx,
  { no: watchNo, accountId, parts }: Pick<WatchRow, "no" | "accountId" | "parts">,
  pages: KnownPages,
  urlOf: ((page: number) => string) | null,
): Promise<void> {
  const { watchPages } = tx.t;
  if (pages.parts !== parts) await tx.q.delete(watchPages).where(eq(watchPages.watchNo, watchNo));
  for (const { part, records, pages: own } of pages.changedParts()) {
    const urls = urlOf && deflateRawSync(own.map(urlOf).join("\n"), { level: 3 });
    await tx.q
      .insert(watchPages)
      .values({ watchNo, part, accountId, records, urls })
      .onConflictDoUpdate({ target: [watchPages.watchNo, watchPages.part], set: { records, urls } });
  }
}

/** The parts whose URLs are not stored. */
export async function partsWithoutUrls(db: Reader, { no }: Pick<WatchRow, "no">): Promise<number[]> {
  const { watchPages } = db.t;
  const rows = await db.q
    .select({ part: watchPages.part, urls: watchPages.urls })
    .from(watchPages)
    .where(eq(watchPages.watchNo, no));
  return rows.filter(({ urls }) => urls === null).map(({ part }) => part);
}

/** The URLs of pages, where they are stored. @param pages as they were read, not changed since */
export async function urlsOf(
  db: Reader,
  { no }: Pick<WatchRow, "no">,
  known: KnownPages,
  pages: readonly number[],
): Promise<string[]> {
  const parts = [...new Set(pages.map((page) => known.partOf(page)))];
  if (parts.length === 0) return [];
  const { watchPages } = db.t;
  const rows = await db.q
    .select({ part: watchPages.part, urls: watchPages.urls })
    .from(watchPages)
    .where(and(eq(watchPages.watchNo, no), inArray(watchPages.part, parts)));
  const urlsOfPart = new Map(
    rows.map(({ part, urls }) => [
      part,
      urls === null ? [] : inflateRawSync(urls, { maxOutputLength: MAX_TEXT }).toString().split("\n"),
    ]),
  );
  // The pages of a part are read in the order in which they were written.
  const position = new Map<number, number>();
  const wanted = new Set(pages);
  const found: string[] = [];
  for (let page = 0; page < known.size; page++) {
    const part = known.partOf(page);
    const at = position.get(part) ?? 0;
    position.set(part, at + 1);
    const url = wanted.has(page) ? urlsOfPart.get(part)?.[at] : undefined;
    if (url) found.push(url);
  }
  return found;
}

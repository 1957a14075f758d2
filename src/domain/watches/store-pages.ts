import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { and, asc, eq, gte, inArray, isNull, lt } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { Slices } from "../../platform/slices.ts";
import { KnownPages } from "./known-pages.ts";
import type { WatchRow } from "./rows.ts";

/** Most bytes of the URLs of one part. */
const MAX_TEXT = 64 * 1024 * 1024;

/** Parts that are read at a time: 1 MB. */
const BATCH = 16;

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** What is known of the pages of a watch. If a run is written between two batches, the run that has read them is lost. */
export async function loadPages(db: Reader, { no, parts }: Pick<WatchRow, "no" | "parts">): Promise<KnownPages> {
  const { watchPages } = db.t;
  const records: Buffer[] = [];
  const slices = new Slices();
  for (let from = 0; from < parts; from += BATCH) {
    const isIn = and(eq(watchPages.watchNo, no), gte(watchPages.part, from), lt(watchPages.part, from + BATCH));
    const query = db.q.select({ records: watchPages.records }).from(watchPages).where(isIn);
    for (const row of await query.orderBy(asc(watchPages.part))) records.push(row.records);
    if (slices.isOver()) await slices.next();
  }
  return KnownPages.of(records, parts);
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
  for await (const { part, records, pages: own } of pages.changedParts()) {
    const urls = urlOf && (await deflate(Array.from(own, urlOf).join("\n"), { level: 3 }));
    await tx.q
      .insert(watchPages)
      .values({ watchNo, part, accountId, records, urls })
      .onConflictDoUpdate({ target: [watchPages.watchNo, watchPages.part], set: { records, urls } });
  }
}

/** The parts whose URLs are not stored. */
export async function partsWithoutUrls(db: Reader, { no }: Pick<WatchRow, "no">): Promise<number[]> {
  const { watchPages } = db.t;
  const isOne = and(eq(watchPages.watchNo, no), isNull(watchPages.urls));
  const rows = await db.q.select({ part: watchPages.part }).from(watchPages).where(isOne);
  return rows.map(({ part }) => part);
}

/** The URLs of pages, where they are stored. @param pages as they were read, not changed since */
export async function urlsOf(
  db: Reader,
  { no }: Pick<WatchRow, "no">,
  known: KnownPages,
  pages: readonly number[],
): Promise<string[]> {
  const places = await placesOf(known, pages);
  const found: string[] = [];
  const { watchPages } = db.t;
  const parts = [...places.keys()];
  for (let from = 0; from < parts.length; from += BATCH) {
    const rows = await db.q
      .select({ part: watchPages.part, urls: watchPages.urls })
      .from(watchPages)
      .where(and(eq(watchPages.watchNo, no), inArray(watchPages.part, parts.slice(from, from + BATCH))));
    for (const { part, urls } of rows) {
      if (urls === null) continue;
      const all = (await inflate(urls, { maxOutputLength: MAX_TEXT })).toString().split("\n");
      for (const place of places.get(part)!) if (all[place]) found.push(all[place]);
    }
  }
  return found;
}

/** The positions of pages in their parts. The pages of a part are read in the order in which they were written. */
async function placesOf(known: KnownPages, pages: readonly number[]): Promise<Map<number, number[]>> {
  const places = new Map<number, number[]>();
  if (pages.length === 0) return places;
  const wanted = new Uint8Array(known.size);
  for (const page of pages) wanted[page] = 1;
  const next = new Uint32Array(known.parts);
  const slices = new Slices();
  for (let page = 0; page < known.size; page++) {
    const part = known.partOf(page);
    const place = next[part]!++;
    if (page % 256 === 0 && slices.isOver()) await slices.next();
    if (!wanted[page]) continue;
    const others = places.get(part);
    if (others) others.push(place);
    else places.set(part, [place]);
  }
  return places;
}

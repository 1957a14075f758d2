import { and, asc, desc, eq, gte, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { LinkRow, Reader } from "../../../db/engine.ts";
import { linkKey, POSITIONS, projectNoOf } from "../../platform/ids.ts";
import { Slices } from "../../platform/slices.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import { rowsAt } from "./list-projects.ts";
import { type LinkRecord, recordsOf } from "./read.ts";
import { containsAny, formsInUrl } from "./search.ts";

/** Links that one search reads at most: the newest of the account. */
const MOST_SEARCHED = 1_000_000;

/** Links that one statement reads, a few ms of it, and spans of keys that it names. */
const LINKS_AT_ONCE = 20_000;
const SPANS_AT_ONCE = 100;
const PROJECTS_AT_ONCE = 500;

export interface LinkSearch {
  readonly text: string;
  readonly limit: number;
  /** Links that are read at most; default: MOST_SEARCHED. */
  readonly most?: number;
}

export interface FoundLinks {
  readonly records: readonly LinkRecord[];
  /** Whether every link of the account was looked at that could have been among them. */
  readonly isComplete: boolean;
}

/**
 * The links of an account whose URL contains a text: the one with exactly this URL first, then the newest projects'. No index
 * finds text within a URL, so the rows are read, in pieces between which others have their turn.
 */
export async function searchLinks(
  db: Reader,
  accountId: string,
  { text, limit, most = MOST_SEARCHED }: LinkSearch,
): Promise<FoundLinks> {
  const { url } = db.t.links;
  const matches = containsAny(db, url, formsInUrl(text))!;
  const { rows, isComplete } = await scan(db, accountId, matches, { limit, most });
  const exact = normaliseUrl(text);
  const isCut = rows.length === limit;
  if (exact !== null && isCut && !rows.some((row) => row.url === exact)) {
    const [same] = (await scan(db, accountId, eq(url, exact), { limit: 1, most })).rows;
    if (same) rows.splice(-1, 1, same);
  }
  rows.sort((a, b) => Number(b.url === exact) - Number(a.url === exact));
  return { records: await recordsIn(db, rows), isComplete };
}

/** The first rows that match, of the newest projects first. */
async function scan(db: Reader, accountId: string, matches: SQL, { limit, most }: { limit: number; most: number }) {
  const { links } = db.t;
  const rows: LinkRow[] = [];
  const slices = new Slices();
  for await (const spans of spansOf(db, accountId, most)) {
    if (spans === "too many") return { rows, isComplete: false };
    const isInside = or(...spans.map(({ first, last }) => and(gte(links.id, first), lte(links.id, last))));
    const found = await db.q
      .select()
      .from(links)
      .where(and(isInside, matches))
      .orderBy(desc(sql`${links.id} / ${sql.raw(String(POSITIONS))}`), asc(links.id))
      .limit(limit - rows.length);
    rows.push(...found);
    if (rows.length === limit) break;
    if (slices.isOver()) await slices.next();
  }
  return { rows, isComplete: true };
}

interface Span {
  first: number;
  last: number;
}

/** The keys of an account's links, newest first, in pieces of what one statement reads. Projects in a row are one span. */
async function* spansOf(db: Reader, accountId: string, most: number): AsyncIterable<Span[] | "too many"> {
  const { no, total, accountId: owner } = db.t.projects;
  let piece: Span[] = [];
  let inPiece = 0;
  let inAll = 0;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const projects = await db.q
      .select({ no, total })
      .from(db.t.projects)
      .where(and(eq(owner, accountId), lt(no, before)))
      .orderBy(desc(no))
      .limit(PROJECTS_AT_ONCE);
    for (const { no, total } of projects) {
      if (inAll + total > most) {
        if (piece.length > 0) yield piece;
        return yield "too many";
      }
      const isFull = inPiece + total > LINKS_AT_ONCE || piece.length === SPANS_AT_ONCE;
      if (isFull && piece.length > 0) {
        yield piece;
        [piece, inPiece] = [[], 0];
      }
      const follows = piece.at(-1)?.first === linkKey(no + 1, 0);
      if (follows) piece.at(-1)!.first = linkKey(no, 0);
      else piece.push({ first: linkKey(no, 0), last: linkKey(no, total - 1) });
      inPiece += total;
      inAll += total;
    }
    if (projects.length < PROJECTS_AT_ONCE) break;
    before = projects.at(-1)!.no;
  }
  if (piece.length > 0) yield piece;
}

/** Rows with what else is known of them, in the order of the rows. */
async function recordsIn(db: Reader, rows: readonly LinkRow[]): Promise<LinkRecord[]> {
  const byProject = new Map<number, LinkRow[]>();
  for (const row of rows) byProject.set(projectNoOf(row.id), [...(byProject.get(projectNoOf(row.id)) ?? []), row]);
  const byKey = new Map<number, LinkRecord>();
  for (const project of await rowsAt(db, [...byProject.keys()]))
    for (const record of await recordsOf(db, project, byProject.get(project.no)!)) byKey.set(record.link.id, record);
  return rows.map(({ id }) => byKey.get(id)!);
}

import { and, asc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { type LinkSort, linkOrder, parsed } from "./list-order.ts";
import { type LinkRecord, type Page, type ProjectRow, recordsOf } from "./read.ts";
import { containsAny, formsInUrl } from "./search.ts";
import type { LinkState } from "./states.ts";

/** Which links of a project, and in what order. */
export interface LinkFilter {
  /** Null: any. */
  readonly state: LinkState | null;
  /** Text that the URL contains; "" or absent: any URL. */
  readonly search?: string | undefined;
  /** Default: submission order. */
  readonly sort?: LinkSort;
}

const BATCH = 500;

/** A page of a project's links, and whether there is more. */
export async function linksOf(
  db: Reader,
  project: ProjectRow,
  filter: LinkFilter & Page,
): Promise<{ records: LinkRecord[]; hasMore: boolean }> {
  const { sort = "submitted", state, search = "", limit, offset } = filter;
  if (sort === "submitted" && state === null && search === "") {
    // The most frequent request: positions follow from the offset, and nothing has to be sorted.
    const keys = { first: linkKey(project.no, offset), last: linkKey(project.no, project.total - 1) };
    const rows = await rowsBetween(db).execute({ ...keys, most: limit + 1 });
    return { records: await recordsOf(db, project, rows.slice(0, limit)), hasMore: rows.length > limit };
  }
  const keys = await keysOf(db, project, filter, { limit: limit + 1, offset });
  return { records: await recordsAt(db, project, keys.slice(0, limit)), hasMore: keys.length > limit };
}

const rowsBetween = (db: Reader) =>
  db.prepared("links_between_keys", ({ q, t: { links } }) =>
    q
      .select()
      .from(links)
      .where(and(gte(links.id, sql.placeholder("first")), lte(links.id, sql.placeholder("last"))))
      .orderBy(asc(links.id))
      .limit(sql.placeholder("most")),
  );

/** All links that the filter lets through, in batches. A link that changes meanwhile neither comes twice nor is missing. */
export async function* eachLink(
  db: Reader,
  project: ProjectRow,
  filter: LinkFilter & { readonly withOwnFacts?: boolean },
): AsyncIterable<LinkRecord[]> {
  const keys = await keysOf(db, project, filter);
  for (let first = 0; first < keys.length; first += BATCH)
    yield recordsAt(db, project, keys.slice(first, first + BATCH), filter.withOwnFacts);
}

/** The positions of the links that a search lets through, in their order. */
export async function positionsInOrder(
  db: Reader,
  project: ProjectRow,
  filter: Omit<LinkFilter, "state">,
): Promise<number[]> {
  const { search = "", sort = "submitted" } = filter;
  if (search === "" && sort === "submitted") return Array.from({ length: project.total }, (_, position) => position);
  return (await keysOf(db, project, { ...filter, state: null })).map(positionOf);
}

/** The links at these positions of a project, in the order of the positions. */
export function linksAt(db: Reader, project: ProjectRow, positions: readonly number[]): Promise<LinkRecord[]> {
  return recordsAt(
    db,
    project,
    positions.map((position) => linkKey(project.no, position)),
  );
}

/** Keys of the links in their order. */
async function keysOf(db: Reader, project: ProjectRow, filter: LinkFilter, page?: Page): Promise<number[]> {
  const { sort = "submitted" } = filter;
  if (sort === "checked" || sort === "-checked") {
    const keys = await keysByCheck(db, project, filter, sort);
    return page ? keys.slice(page.offset, page.offset + page.limit) : keys;
  }
  const { links } = db.t;
  const query = db.q
    .select({ id: links.id })
    .from(links)
    .where(matching(db, project, filter))
    .orderBy(...linkOrder(db, sort));
  const rows = await (page ? query.limit(page.limit).offset(page.offset) : query);
  return rows.map(({ id }) => id);
}

/**
 * Keys by the time of the last check; links without one come last in both orders. Checks are stored per set of links, so this
 * order is found here and not by the database.
 */
async function keysByCheck(
  db: Reader,
  project: ProjectRow,
  filter: LinkFilter,
  sort: "checked" | "-checked",
): Promise<number[]> {
  const { observations } = db.t;
  const { at, first, members } = observations;
  const checks = await db.q
    .select({ at, first, members })
    .from(observations)
    .where(eq(observations.projectNo, project.no))
    .orderBy(observations.id);
  const times = new Float64Array(project.total).fill(Number.POSITIVE_INFINITY);
  const sign = parsed(sort).isDescending ? -1 : 1;
  for (const check of checks) for (const position of unpackPositions(check)) times[position] = sign * check.at;
  const keys = await keysOf(db, project, { ...filter, sort: "submitted" });
  const timeOf = (key: number) => times[positionOf(key)]!;
  // Infinity minus itself is no number, so times are compared before they are subtracted. The sort is stable.
  return keys.sort((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) - timeOf(b)));
}

function matching(db: Reader, project: ProjectRow, { state, search = "" }: LinkFilter): SQL | undefined {
  const { links } = db.t;
  return and(
    gte(links.id, linkKey(project.no, 0)),
    lte(links.id, linkKey(project.no, project.total - 1)),
    state === null ? undefined : eq(links.state, state),
    containsAny(db, links.url, formsInUrl(search)),
  );
}

/** The links with these keys, in the order of the keys. */
async function recordsAt(
  db: Reader,
  project: ProjectRow,
  keys: readonly number[],
  withOwn = false,
): Promise<LinkRecord[]> {
  const { links } = db.t;
  const rows = await db.q.select().from(links).where(db.among(links.id, keys));
  const byKey = new Map(rows.map((row) => [row.id, row]));
  return recordsOf(
    db,
    project,
    keys.map((key) => byKey.get(key)!),
    withOwn,
  );
}

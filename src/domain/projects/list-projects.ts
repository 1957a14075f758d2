import { and, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { type Archived, type ProjectSort, projectOrder } from "./list-order.ts";
import type { Page, ProjectRow } from "./read.ts";
import { containsAny, formsInName } from "./search.ts";

/** Which projects of an account, and in what order. */
export interface ProjectFilter {
  readonly kind: "all" | "index" | "check";
  readonly status: "any" | "active" | "completed";
  /** Text that the name contains; "" or absent: any name. */
  readonly search?: string | undefined;
  /** Made by these credentials only; null or absent: by any. */
  readonly credentials?: readonly string[] | null;
  /** Absent: with any tags, or none. */
  readonly tag?: string | undefined;
  /** Default: all. */
  readonly archived?: Archived;
  /** Default: newest first. */
  readonly sort?: ProjectSort;
}

const BATCH = 500;

/** A page of projects, and whether there is more. */
export async function projectsOf(
  db: Reader,
  accountId: string,
  filter: ProjectFilter & Page,
): Promise<{ rows: ProjectRow[]; hasMore: boolean }> {
  const { sort = "-created", limit, offset } = filter;
  if (sort === "-created" && isForAll(filter)) {
    const rows = await newestProjects(db).execute({ accountId, most: limit + 1, offset });
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
  }
  const numbers = await numbersOf(db, accountId, filter, { limit: limit + 1, offset });
  return { rows: await rowsAt(db, numbers.slice(0, limit)), hasMore: numbers.length > limit };
}

/** Whether the filter lets every project through. */
function isForAll({ kind, status, search = "", credentials = null, tag, archived = "all" }: ProjectFilter): boolean {
  const isOfAnyone = credentials === null && tag === undefined;
  return kind === "all" && status === "any" && search === "" && isOfAnyone && archived === "all";
}

/** The projects of an account whose name contains a text, or whose id it is; newest first. */
export function projectsLike(db: Reader, accountId: string, text: string, limit: number): Promise<ProjectRow[]> {
  const { projects } = db.t;
  const isLike = or(eq(projects.id, text), containsAny(db, projects.name, formsInName(text)));
  return db.q
    .select()
    .from(projects)
    .where(and(eq(projects.accountId, accountId), isLike))
    .orderBy(desc(projects.no))
    .limit(limit);
}

/** The query of the most frequent request. */
const newestProjects = (db: Reader) =>
  db.prepared("newest_projects", ({ q, t: { projects } }) =>
    q
      .select()
      .from(projects)
      .where(eq(projects.accountId, sql.placeholder("accountId")))
      .orderBy(desc(projects.no))
      .limit(sql.placeholder("most"))
      .offset(sql.placeholder("offset")),
  );

/** All projects that the filter lets through, in batches. One that changes meanwhile neither comes twice nor is missing. */
export async function* eachProject(db: Reader, accountId: string, filter: ProjectFilter): AsyncIterable<ProjectRow[]> {
  const numbers = await numbersOf(db, accountId, filter);
  for (let first = 0; first < numbers.length; first += BATCH) yield rowsAt(db, numbers.slice(first, first + BATCH));
}

/** How many projects of an account a search lets through, by kind and status. */
export function countProjects(
  db: Reader,
  accountId: string,
  filter: Omit<ProjectFilter, "kind" | "status" | "sort">,
): Promise<{ kind: string; status: string; n: number }[]> {
  const { projects } = db.t;
  const { kind, status } = projects;
  return db.q
    .select({ kind, status, n: count() })
    .from(projects)
    .where(matching(db, accountId, { kind: "all", status: "any", ...filter }))
    .groupBy(kind, status);
}

function matching(
  db: Reader,
  accountId: string,
  { kind, status, search = "", credentials = null, tag, archived = "all" }: ProjectFilter,
): SQL | undefined {
  const { projects, projectTags } = db.t;
  const tagged = db.q
    .select({ no: projectTags.projectNo })
    .from(projectTags)
    .where(and(eq(projectTags.accountId, accountId), eq(projectTags.tag, tag ?? "")));
  return and(
    eq(projects.accountId, accountId),
    kind === "all" ? undefined : eq(projects.kind, kind),
    status === "any" ? undefined : eq(projects.status, status),
    credentials === null ? undefined : inArray(projects.credential, [...credentials]),
    tag === undefined ? undefined : inArray(projects.no, tagged),
    archived === "all" ? undefined : eq(projects.archived, archived === "only"),
    containsAny(db, projects.name, formsInName(search)),
  );
}

/** Numbers of the projects in their order. They are sorted without the rest of their rows, which is faster. */
async function numbersOf(db: Reader, accountId: string, filter: ProjectFilter, page?: Page): Promise<number[]> {
  const { projects } = db.t;
  const query = db.q
    .select({ no: projects.no })
    .from(projects)
    .where(matching(db, accountId, filter))
    .orderBy(...projectOrder(db, filter.sort ?? "-created"));
  const rows = await (page ? query.limit(page.limit).offset(page.offset) : query);
  return rows.map(({ no }) => no);
}

/** The projects of an account with these ids, by id. */
export async function projectsById(
  db: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProjectRow>> {
  if (ids.length === 0) return new Map();
  const { projects } = db.t;
  const rows = await db.q
    .select()
    .from(projects)
    .where(and(eq(projects.accountId, accountId), inArray(projects.id, [...ids])));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The projects with these numbers, in the order of the numbers. */
export async function rowsAt(db: Reader, numbers: readonly number[]): Promise<ProjectRow[]> {
  const { projects } = db.t;
  const rows = await db.q.select().from(projects).where(db.among(projects.no, numbers));
  const byNumber = new Map(rows.map((row) => [row.no, row]));
  return numbers.map((no) => byNumber.get(no)!);
}

import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkId, linkKey, positionOf } from "../../platform/ids.ts";
import type { ProjectRow } from "../projects/read.ts";
import type { WatchRow } from "./rows.ts";

/** A page that a watch has submitted and that Google had at the last check of its project. */
export interface IndexedLink {
  /** Public id. */
  readonly id: string;
  readonly project: Pick<ProjectRow, "id" | "no" | "completedAt">;
}

/** What the checks of a watch have found of a page. */
export interface PastLooks {
  /** Service time of the last check that took it up, whether or not it got an answer. */
  at: number;
  wasFound: boolean;
  /** The last answer, and the number of its project. */
  last: { readonly state: "indexed" | "not_indexed"; readonly projectNo: number } | null;
}

/** The newest indexed link of each URL that a watch has submitted, in the order of submission. */
export async function indexedLinks(db: Reader, watch: WatchRow): Promise<Map<string, IndexedLink>> {
  const links = new Map<string, IndexedLink>();
  for (const project of await projectsOf(db, watch, "index"))
    for (const { id, url, state } of await linksIn(db, project.no))
      if (state === "indexed") links.set(url, { id: linkId(project.id, positionOf(id)), project });
  return links;
}

/** What the checks of a watch have found, by URL. @param before number of a project: only of checks older than this one */
export async function pastLooks(
  db: Reader,
  watch: WatchRow,
  before = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, PastLooks>> {
  const looks = new Map<string, PastLooks>();
  for (const { no, createdAt } of await projectsOf(db, watch, "check")) {
    if (no >= before) break;
    for (const { url, state } of await linksIn(db, no)) {
      const look = looks.get(url) ?? { at: 0, wasFound: false, last: null };
      look.at = createdAt;
      look.wasFound ||= state === "indexed";
      if (state === "indexed" || state === "not_indexed") look.last = { state, projectNo: no };
      looks.set(url, look);
    }
  }
  return looks;
}

/** Links of a project, with their state and why they ended in it. */
export function linksIn(db: Reader, projectNo: number) {
  const { links } = db.t;
  const isOfProject = and(gte(links.id, linkKey(projectNo, 0)), lt(links.id, linkKey(projectNo + 1, 0)));
  return db.q
    .select({ id: links.id, url: links.url, state: links.state, error: links.error })
    .from(links)
    .where(isOfProject)
    .orderBy(asc(links.id));
}

/** The projects that runs of a watch have made, oldest first. */
function projectsOf(db: Reader, watch: WatchRow, kind: ProjectRow["kind"]) {
  const { projects, watchRuns } = db.t;
  return db.q
    .select({
      no: projects.no,
      id: projects.id,
      createdAt: projects.createdAt,
      completedAt: projects.completedAt,
    })
    .from(watchRuns)
    .innerJoin(projects, eq(projects.id, watchRuns.projectId))
    .where(and(eq(watchRuns.watchNo, watch.no), eq(projects.kind, kind)))
    .orderBy(asc(projects.no));
}

/**
 * Pages of a watch that are looked up again, or will be once they are indexed, by the counts of its projects; a page that was
 * submitted twice counts twice, but the sum is at most the number of pages in the sitemap.
 */
export async function countRecheckPages(
  db: Reader,
  { no, pages }: Pick<WatchRow, "no" | "pages">,
  { stopWhenIndexed }: { readonly stopWhenIndexed: boolean },
): Promise<number> {
  const { projects, watchRuns } = db.t;
  const [row] = await db.q
    .select({
      submitted: sumOf(
        sql`CASE WHEN ${projects.kind} = 'index' THEN ${projects.waiting} + ${projects.checking} + ${projects.indexed} ELSE 0 END`,
      ),
      found: sumOf(sql`CASE WHEN ${projects.kind} = 'check' THEN ${projects.indexed} ELSE 0 END`),
    })
    .from(watchRuns)
    .innerJoin(projects, eq(projects.id, watchRuns.projectId))
    .where(eq(watchRuns.watchNo, no));
  const { submitted, found } = row!;
  return Math.min(pages, Math.max(0, submitted - (stopWhenIndexed ? found : 0)));
}

function sumOf(value: ReturnType<typeof sql>) {
  return sql<number>`coalesce(sum(${value}), 0)`.mapWith(Number);
}

import { and, asc, gte, lt } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { ProjectRow } from "../projects/read.ts";

/**
 * Every answer of Bing is about a link that was sent to Bing. Each of the two checks asks once for each link. By which connection
 * is not known any more: it may have ended since.
 */
export async function auditBingChecks(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { bingChecks } = db.t;
  const rows = await db.q.select().from(bingChecks).orderBy(asc(bingChecks.id));
  if (rows.length === 0) return;
  const projectOf = new Map(projects.map((project) => [project.no, project]));
  const asked = new Map<ProjectRow, Map<number, string[]>>();
  for (const row of rows) {
    const project = projectOf.get(row.projectNo);
    if (!project?.bing) {
      problems.push(
        `Bing was asked for links of project number ${row.projectNo}, which ${project ? "it does not have" : "does not exist"}`,
      );
      continue;
    }
    const stages = asked.get(project) ?? new Map<number, string[]>();
    asked.set(project, stages);
    for (const position of unpackPositions(row)) stages.set(position, [...(stages.get(position) ?? []), row.stage]);
  }
  for (const [project, stages] of asked) {
    const known = await positionsOf(db, project);
    for (const [position, own] of stages) {
      const name = `project ${project.id}, link ${position}`;
      if (!known.has(position)) problems.push(`${name}: Bing was asked for it, and it does not exist`);
      if (own.join() !== "day_4" && own.join() !== "day_4,day_14")
        problems.push(`${name}: Bing was asked on ${own.join(" and ")}`);
    }
  }
}

async function positionsOf(db: Reader, { no }: ProjectRow): Promise<ReadonlySet<number>> {
  const { links } = db.t;
  const isIn = and(gte(links.id, linkKey(no, 0)), lt(links.id, linkKey(no + 1, 0)));
  const rows = await db.q.select({ id: links.id }).from(links).where(isIn);
  return new Set(rows.map(({ id }) => positionOf(id)));
}

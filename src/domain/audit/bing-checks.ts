import { and, asc, eq, gte, isNull, lt } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { ProjectRow } from "../projects/read.ts";

/**
 * Every answer of Bing is about a link that was sent to Bing, on a site of the link's account. Each of the two checks asks once
 * for each link. Sites may have been connected or disconnected since, and a deleted account has no sites.
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
  const hosts = await hostsOf(db, [...asked.keys()]);
  for (const [project, stages] of asked) {
    const urls = await urlsOf(db, project);
    for (const [position, own] of stages) {
      const name = `project ${project.id}, link ${position}`;
      const url = urls.get(position);
      if (url === undefined) problems.push(`${name}: Bing was asked for it, and it does not exist`);
      else if (hosts.get(project.accountId)?.has(new URL(url).host) === false)
        problems.push(`${name}: Bing was asked for it, and its host is no site of the account`);
      if (own.join() !== "day_4" && own.join() !== "day_4,day_14")
        problems.push(`${name}: Bing was asked on ${own.join(" and ")}`);
    }
  }
}

/** The hosts of the sites of accounts that are not deleted. */
async function hostsOf(db: Reader, projects: readonly ProjectRow[]): Promise<Map<string, Set<string>>> {
  const { accounts, sites } = db.t;
  const ids = [...new Set(projects.map(({ accountId }) => accountId))];
  const hosts = new Map<string, Set<string>>();
  for (const id of ids) {
    const isOpen = and(eq(accounts.id, id), isNull(accounts.deletedAt));
    if ((await db.q.select({ id: accounts.id }).from(accounts).where(isOpen)).length === 0) continue;
    const rows = await db.q.select({ host: sites.host }).from(sites).where(eq(sites.accountId, id));
    hosts.set(id, new Set(rows.map(({ host }) => host)));
  }
  return hosts;
}

async function urlsOf(db: Reader, { no }: ProjectRow): Promise<Map<number, string>> {
  const { links } = db.t;
  const isIn = and(gte(links.id, linkKey(no, 0)), lt(links.id, linkKey(no + 1, 0)));
  const rows = await db.q.select({ id: links.id, url: links.url }).from(links).where(isIn);
  return new Map(rows.map(({ id, url }) => [positionOf(id), url]));
}

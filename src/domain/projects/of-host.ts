import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { POSITIONS } from "../../platform/ids.ts";
import type { ProjectRow } from "./read.ts";

/** The newest projects whose first URL is on a host. Looking at every URL would read all of the account. */
export async function projectsOfHost(
  db: Reader,
  accountId: string,
  { host, limit }: { readonly host: string; readonly limit: number },
): Promise<ProjectRow[]> {
  const { projects, links } = db.t;
  const rows = await db.q
    .select({ project: projects })
    .from(projects)
    .innerJoin(links, eq(links.id, sql`${projects.no} * ${sql.raw(String(POSITIONS))}`))
    .where(
      and(
        eq(projects.accountId, accountId),
        or(...["https", "http"].map((scheme) => beginsWith(links.url, `${scheme}://${host}/`))),
      ),
    )
    .orderBy(desc(projects.no))
    .limit(limit);
  return rows.map(({ project }) => project);
}

function beginsWith(column: Reader["t"]["links"]["url"], prefix: string) {
  return eq(sql`substr(${column}, 1, ${sql.raw(String(prefix.length))})`, prefix);
}

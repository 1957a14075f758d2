import { withAdvice } from "../../../domain/projects/advice.ts";
import { projectsOfHost } from "../../../domain/projects/of-host.ts";
import { connectionsOfHost, type HostConnection } from "../../../indexing/sites/own-properties.ts";
import { type HostVisits, visitsOfHost } from "../../../indexing/visits/visits.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/** What the pages of sites show besides the answers of operations. */

export type { HostConnection, HostVisits };
export { withAdvice };

/** Projects that the page of a host names. */
const PROJECTS = 10;

/** The newest projects that begin with a page of a host, the crawlers that came to it, and the connections that reach it. */
export async function alsoOf({ db }: WebsiteServices, { session }: SignedInRequest, host: string) {
  const [projects, visits, connections] = await Promise.all([
    projectsOfHost(db, session.accountId, { host, limit: PROJECTS }),
    visitsOfHost(db, session.accountId, host),
    connectionsOfHost(db, session.accountId, host),
  ]);
  const named = projects.map(({ id, name, total, createdAt }) => ({ id, name, total, createdAt }));
  return { projects: named, visits, connections };
}

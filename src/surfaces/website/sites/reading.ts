import { withAdvice } from "../../../domain/projects/advice.ts";
import { projectsOfHost } from "../../../domain/projects/of-host.ts";
import { type HostVisits, visitsOfHost } from "../../../indexing/visits/visits.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/** What the pages of sites show besides the answers of operations. */

export type { HostVisits };
export { withAdvice };

/** Projects that the page of a host names. */
const PROJECTS = 10;

/** The newest projects that begin with a page of a host, and the crawlers that came to it. */
export async function alsoOf({ db }: WebsiteServices, { session }: SignedInRequest, host: string) {
  const [projects, visits] = await Promise.all([
    projectsOfHost(db, session.accountId, { host, limit: PROJECTS }),
    visitsOfHost(db, session.accountId, host),
  ]);
  return { projects: projects.map(({ id, name, total, createdAt }) => ({ id, name, total, createdAt })), visits };
}

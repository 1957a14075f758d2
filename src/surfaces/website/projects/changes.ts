import { mayHaveResults, seeResults } from "../../../domain/inbox/read.ts";
import { isInInbox } from "../../../domain/inbox/waiting.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Project } from "./domain.ts";

/** Takes the results of a project out of the inbox, if whoever opens its page is somebody they wait for. */
export async function resultsOpened(
  { clock }: WebsiteServices,
  { session, sessionTx, now }: SignedInRequest,
  project: Project,
): Promise<void> {
  const service = clock.service();
  if (!isInInbox(session, "results") || !mayHaveResults(project, service)) return;
  await sessionTx((tx) => seeResults(tx, session, { now, service }, project.id));
}

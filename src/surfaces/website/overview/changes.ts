import { openAllResults, openProject } from "../../../domain/inbox/read.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/** Takes the results of a project out of the inbox. @returns false: the account has no such project */
export function resultsOpened({ clock }: WebsiteServices, { session, sessionTx }: SignedInRequest, id: string) {
  return sessionTx((tx) => openProject(tx, session, id, clock.service()));
}

/** Takes all results out of the inbox. */
export function allResultsOpened({ clock }: WebsiteServices, { session, sessionTx, now }: SignedInRequest) {
  return sessionTx((tx) => openAllResults(tx, session, { now, service: clock.service() }));
}

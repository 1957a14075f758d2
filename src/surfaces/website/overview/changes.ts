import { seeResults } from "../../../domain/inbox/read.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/** Takes the results of one project out of the inbox, or all of them. */
export function resultsSeen({ clock }: WebsiteServices, request: SignedInRequest, projectId?: string): Promise<void> {
  const { session, sessionTx, now } = request;
  return sessionTx((tx) => seeResults(tx, session, { now, service: clock.service() }, projectId));
}

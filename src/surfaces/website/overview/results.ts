import { resultsSeen } from "../projects/domain.ts";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/** Takes all results out of the inbox; below it, the results of each project. */
export const RESULTS_PATH = `${PATHS.overview}/results`;

/** `POST /dashboard/results/:id` */
export async function seenPost(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await resultsSeen(services, request, request.param("id"));
  request.redirect(PATHS.overview);
}

/** `POST /dashboard/results` */
export async function allSeenPost(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await resultsSeen(services, request);
  request.redirect(PATHS.overview);
}

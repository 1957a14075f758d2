import { Refusal } from "../../../platform/errors/errors.ts";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { allResultsOpened, resultsOpened } from "./changes.ts";

/** Below it, the way to the results of each project, which takes them out of the inbox. */
export const RESULTS_PATH = `${PATHS.overview}/results`;

/** `GET /dashboard/results/:id`: leads to the project. */
export async function openResults(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  request.redirect(`${PATHS.projects}/${await takeOut(services, request)}`);
}

/** `POST /dashboard/results/:id` */
export async function seenPost(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await takeOut(services, request);
  request.redirect(PATHS.overview);
}

/** `POST /dashboard/results` */
export async function allSeenPost(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await allResultsOpened(services, request);
  request.redirect(PATHS.overview);
}

/** @throws Refusal not_found @returns the id of the project */
async function takeOut(services: WebsiteServices, request: SignedInRequest): Promise<string> {
  const id = request.param("id");
  if (!(await resultsOpened(services, request, id)))
    throw new Refusal("not_found", "Your account has no such project.");
  return id;
}

import type { Router } from "express";
import { PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { overviewPage } from "./overview.tsx";
import { allSeenPost, RESULTS_PATH, seenPost } from "./results.ts";
import { searchPage } from "./search.tsx";

/** The first page after a sign-in, and the search of the whole account: something of each subject. */
export function overviewRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.overview, overviewPage);
  get(PATHS.search, searchPage);
  post(`${RESULTS_PATH}/:id`, "index", seenPost);
  post(RESULTS_PATH, "index", allSeenPost);
  return router;
}

import type { Router } from "express";
import { PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { overviewPage } from "./overview.tsx";

/** The first page after a sign-in: something of each subject. */
export function overviewRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get } = signedInRoutes(services, pages);

  get(PATHS.overview, overviewPage);
  return router;
}

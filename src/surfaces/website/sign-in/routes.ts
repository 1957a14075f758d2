import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { claimRoutes } from "./claim/routes.ts";
import { authorizeRoutes } from "./consent/routes.ts";
import { factorRoutes } from "./factors/routes.ts";
import { issuerRoutes } from "./issuer/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** Where users prove who they are, and decide what an app or agent may do for them. */
export function signInRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const router = Router();
  router.use(userRoutes(services, pages));
  router.use(issuerRoutes(services, pages));
  router.use(authorizeRoutes(services, pages));
  router.use(claimRoutes(services, pages));
  router.use(factorRoutes(services, pages));
  return router;
}

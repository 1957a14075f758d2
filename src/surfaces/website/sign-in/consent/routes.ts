import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../../shell/page-request.ts";
import { authorizationServers } from "../domain.ts";
import { decide, showRequest } from "./authorize.ts";
import { AUTHORIZE_PATH } from "./consent.tsx";

/** The authorization endpoint, the one part of OAuth that users see. */
export function authorizeRoutes(services: WebsiteServices, handlers: PageHandlers): Router {
  const server = authorizationServers(services);
  const router = Router();
  router.get(
    AUTHORIZE_PATH,
    handlers.get((request) => showRequest(server(request), request)),
  );
  router.post(AUTHORIZE_PATH, ...handlers.post((post) => decide(server(post), post)));
  return router;
}

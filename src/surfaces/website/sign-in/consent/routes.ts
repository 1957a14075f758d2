import { Router } from "express";
import { ClientDocuments } from "../../../../domain/oauth/client-documents.ts";
import { siteUrlFor, siteUrlsOf } from "../../../../platform/config/local.ts";
import type { PageHandlers, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { decide, showRequest } from "./authorize.ts";
import { AUTHORIZE_PATH } from "./consent.tsx";

/** The authorization endpoint, the one part of OAuth that users see. */
export function authorizeRoutes(services: WebsiteServices, handlers: PageHandlers): Router {
  const { db, config } = services;
  const documents = config.clientDocuments ? new ClientDocuments(services) : null;
  const siteUrls = siteUrlsOf(config);
  const server = ({ req }: PageRequest) => ({ db, siteUrl: siteUrlFor(config, req.headers.host), siteUrls, documents });
  const router = Router();
  router.get(
    AUTHORIZE_PATH,
    handlers.get((request) => showRequest(server(request), request)),
  );
  router.post(AUTHORIZE_PATH, ...handlers.post((post) => decide(server(post), post)));
  return router;
}

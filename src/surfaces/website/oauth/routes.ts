import { Router } from "express";
import { ClientDocuments } from "../../../domain/auth/client-documents.ts";
import type { PageHandlers, WebsiteServices } from "../page-request.ts";
import { decide, showRequest } from "./authorize.ts";
import { AUTHORIZE_PATH } from "./consent.tsx";

/** The authorization endpoint, the one part of OAuth that users see. */
export function authorizeRoutes(services: WebsiteServices, handlers: PageHandlers): Router {
  const { db, config } = services;
  const documents = config.clientDocuments ? new ClientDocuments(services) : null;
  const server = { db, siteUrl: config.siteUrl, documents };
  const router = Router();
  router.get(
    AUTHORIZE_PATH,
    handlers.get((request) => showRequest(server, request)),
  );
  router.post(AUTHORIZE_PATH, ...handlers.post((post) => decide(server, post)));
  return router;
}

import { Router } from "express";
import { ClientDocuments } from "../../../domain/auth/client-documents.ts";
import type { SiteServices, Visits } from "../page-request.ts";
import { decide, showRequest } from "./authorize.ts";
import { ADDRESS } from "./consent.ts";

/** The authorization endpoint (RFC 6749 section 3.1): the one part of OAuth that a person sees. */
export function oauthPages(services: SiteServices, visits: Visits): Router {
  const { db, config } = services;
  const documents = config.clientDocuments ? new ClientDocuments(services) : null;
  const server = { db, siteUrl: config.siteUrl, documents };
  const router = Router();
  router.get(
    ADDRESS,
    visits.get((visit) => showRequest(server, visit)),
  );
  router.post(ADDRESS, ...visits.post((post) => decide(server, post)));
  return router;
}

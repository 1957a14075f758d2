import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../../shell/page-request.ts";
import { answerClaim, showClaim } from "./claim.ts";
import { CLAIM_PATH } from "./claim-form.tsx";

/** The page on which a user allows or declines an agent: where its link leads, and its code is typed. */
export function claimRoutes(services: WebsiteServices, handlers: PageHandlers): Router {
  const router = Router();
  router.get(
    CLAIM_PATH,
    handlers.get((request) => showClaim(services, request)),
  );
  router.post(CLAIM_PATH, ...handlers.post((post) => answerClaim(services, post)));
  return router;
}

import { Router } from "express";
import type { SiteServices, Visits } from "../page-request.ts";
import { answerClaim, showClaim } from "./claim.ts";
import { ADDRESS } from "./claim-form.ts";

/** The page on which a person allows or declines an agent: where its link leads, and its code is typed. */
export function claimPages(services: SiteServices, visits: Visits): Router {
  const router = Router();
  router.get(
    ADDRESS,
    visits.get((visit) => showClaim(services, visit)),
  );
  router.post(ADDRESS, ...visits.post((post) => answerClaim(services, post)));
  return router;
}

import { Router } from "express";
import type { SiteServices, Visits } from "../page-request.ts";
import { payPage, payPost } from "./pay.ts";

/** The payment page that stands in for a card processor's. Where real cards are taken it does not exist. */
export function sandboxPages(services: SiteServices, { get, post }: Visits): Router {
  const router = Router();
  if (services.payments.cards?.method !== "sandbox") return router;
  router.get(
    "/sandbox/pay/:reference",
    get((visit) => payPage(services, visit)),
  );
  router.post("/sandbox/pay/:reference", ...post((visit) => payPost(services, visit)));
  return router;
}

import { Router } from "express";
import type { SiteServices, Visits } from "../page-request.ts";
import { cancelledPage } from "./cancelled.ts";
import { donePage } from "./done.ts";

/** Where a payment page sends its payer, be it the card processor's or the sandbox's. */
export function checkoutPages(services: SiteServices, { get }: Visits): Router {
  const router = Router();
  router.get(
    "/checkout/done",
    get((visit) => donePage(services, visit)),
  );
  router.get(
    "/checkout/cancelled",
    get((visit) => cancelledPage(services, visit)),
  );
  return router;
}

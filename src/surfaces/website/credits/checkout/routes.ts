import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../../shell/page-request.ts";
import { cancelledPage } from "./cancelled.tsx";
import { donePage } from "./done.tsx";

/** The pages that payment pages lead back to, both the card processor's and the sandbox's. */
export function checkoutRoutes(services: WebsiteServices, { get }: PageHandlers): Router {
  const router = Router();
  router.get(
    "/checkout/done",
    get((request) => donePage(services, request)),
  );
  router.get(
    "/checkout/cancelled",
    get((request) => cancelledPage(services, request)),
  );
  return router;
}

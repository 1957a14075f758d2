import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { cancelledPage } from "./cancelled.tsx";
import { donePage } from "./done.tsx";
import { payPage, payPost } from "./sandbox-pay.tsx";

/** The pages that payment pages lead back to, and the payment page of a sandbox that does not take real cards. */
export function checkoutRoutes(services: WebsiteServices, { get, post }: PageHandlers): Router {
  const router = Router();
  router.get(
    "/checkout/done",
    get((request) => donePage(services, request)),
  );
  router.get(
    "/checkout/cancelled",
    get((request) => cancelledPage(services, request)),
  );
  if (services.payments.cards?.method !== "sandbox") return router;
  router.get(
    "/sandbox/pay/:reference",
    get((request) => payPage(services, request)),
  );
  router.post("/sandbox/pay/:reference", ...post((request) => payPost(services, request)));
  return router;
}

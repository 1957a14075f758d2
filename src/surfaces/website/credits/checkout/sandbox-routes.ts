import { Router } from "express";
import { COMPONENTS_PATH, componentsPage } from "../../public/components-page.tsx";
import type { PageHandlers, WebsiteServices } from "../../shell/page-request.ts";
import { payPage, payPost } from "./sandbox-pay.tsx";

/** The pages that only a sandbox has: its payment page, where it does not take real cards, and the page of components. */
export function sandboxRoutes(services: WebsiteServices, { get, post }: PageHandlers): Router {
  const router = Router();
  if (services.config.mode === "sandbox") router.get(COMPONENTS_PATH, get(componentsPage));
  if (services.payments.cards?.method !== "sandbox") return router;
  router.get(
    "/sandbox/pay/:reference",
    get((request) => payPage(services, request)),
  );
  router.post("/sandbox/pay/:reference", ...post((request) => payPost(services, request)));
  return router;
}

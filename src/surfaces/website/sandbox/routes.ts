import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../page-request.ts";
import { payPage, payPost } from "./pay.tsx";

/** The payment page of the sandbox. A deployment that takes real cards does not have it. */
export function sandboxRoutes(services: WebsiteServices, { get, post }: PageHandlers): Router {
  const router = Router();
  if (services.payments.cards?.method !== "sandbox") return router;
  router.get(
    "/sandbox/pay/:reference",
    get((request) => payPage(services, request)),
  );
  router.post("/sandbox/pay/:reference", ...post((request) => payPost(services, request)));
  return router;
}

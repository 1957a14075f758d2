import { Router } from "express";
import { TRY_PATH } from "../shell/addresses.ts";
import { openForm } from "../shell/open-form.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { tryPage, tryPost } from "./try.tsx";

/** Where strangers try a few of their pages; nowhere where strangers cannot sign up. */
export function tryRoutes(services: WebsiteServices, { get, formNeeds }: PageHandlers): Router {
  const router = Router();
  if (services.config.signUp !== "open") return router;
  router.get(TRY_PATH, get(tryPage));
  router.post(TRY_PATH, ...openForm({ ...services, formNeeds }, (post) => tryPost(services, post)));
  return router;
}

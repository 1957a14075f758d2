import type { Router } from "express";
import { newSharePath, PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { SHARED_PATH } from "./domain.ts";
import { newSharePage, newSharePost } from "./new-share.tsx";
import { sharedPage } from "./shared-page.tsx";
import { endSharePost, sharesPage } from "./shares-page.tsx";

/** Results that are shown to people without an account: the links to them, and the page that such a link opens. */
export function shareRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.shares, sharesPage);
  get(newSharePath(), newSharePage, "share");
  post(PATHS.shares, "share", newSharePost);
  post(`${PATHS.shares}/:id/end`, "share", endSharePost);
  // Not as the others: whoever opens it gets no cookie.
  router.get(`${SHARED_PATH}/:secret`, sharedPage(services));
  return router;
}

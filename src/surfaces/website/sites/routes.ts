import type { Router } from "express";
import { PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { callbackPage, connectGooglePost } from "./connections/google.ts";
import { connectBingPost, connectionsPage, endConnectionPost } from "./connections/page.tsx";
import { CALLBACK_PATH } from "./domain.ts";
import { sitePage } from "./site-page.tsx";
import { addSitePost, keyFile, sitesPage } from "./sites-page.tsx";
import { changeHookPost } from "./watches/hook.tsx";
import { changeWatchPost, runWatchPost, watchPage, watchStatusPost } from "./watches/watch-page.tsx";
import { addWatchPost, watchesPage } from "./watches/watches-page.tsx";

/** Sites that the account has verified, its connections to search engines, and the sitemaps that are watched. */
export function siteRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.watches, watchesPage);
  post(PATHS.watches, "index", addWatchPost);
  get(`${PATHS.watches}/:id`, watchPage);
  post(`${PATHS.watches}/:id`, "index", changeWatchPost);
  post(`${PATHS.watches}/:id/run`, "index", runWatchPost);
  post(`${PATHS.watches}/:id/hook`, "index", changeHookPost);
  post(`${PATHS.watches}/:id/status`, "index", watchStatusPost);
  get(PATHS.sites, sitesPage);
  post(PATHS.sites, "index", addSitePost);
  get(`${PATHS.sites}/:host`, sitePage);
  get(`${PATHS.sites}/:id/key`, keyFile);
  get(PATHS.connections, connectionsPage);
  post(CALLBACK_PATH, "settings", connectGooglePost);
  // Not as the others: the sign-in page would lead back here, with the code in an address of ours.
  router.get(
    CALLBACK_PATH,
    pages.get((request) => callbackPage(services, request)),
  );
  post(`${PATHS.connections}/bing`, "settings", connectBingPost);
  post(`${PATHS.connections}/:id/end`, "settings", endConnectionPost);
  return router;
}

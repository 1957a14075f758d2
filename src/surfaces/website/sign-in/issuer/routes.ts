import { Router } from "express";
import { lazily } from "../../../../platform/concurrency.ts";
import type { PageHandlers, WebsiteServices } from "../../shell/page-request.ts";
import { ISSUER_PATHS } from "../../shell/return-to.ts";
import { signedInRoutes } from "../../shell/signed-in-routes.ts";
import { ISSUER_CALLBACK_PATH, type Issuer, openIssuer } from "../domain.ts";
import { comeBack } from "./come-back.tsx";
import { connectionPage, connectPost, disconnectPost } from "./connection.tsx";
import { goPost, signOutThere } from "./go.tsx";

type Act<R> = (services: WebsiteServices, issuer: Issuer, request: R) => Promise<void>;

/** Sign-in by OpenID Connect; nothing where there is no issuer. */
export function issuerRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { issuer: settings, siteUrl } = services.config;
  if (!settings) return Router();
  const { router, get, post } = signedInRoutes(services, pages);
  // Opened by the first sign-in.
  const issuer = lazily(() => openIssuer(settings, { siteUrl, http: services.http }));
  const by =
    <R>(act: Act<R>) =>
    async (request: R) =>
      act(services, await issuer(), request);

  router.post(ISSUER_PATHS.go, ...pages.post(by(goPost)));
  router.get(ISSUER_CALLBACK_PATH, pages.get(by(comeBack)));
  router.post(ISSUER_PATHS.signOut, ...pages.post(by(signOutThere)));
  get(ISSUER_PATHS.connection, connectionPage, "own");
  post(ISSUER_PATHS.connection, "own", (_, request) => by(connectPost)(request));
  post(ISSUER_PATHS.disconnect, "own", disconnectPost);
  return router;
}

import { Router } from "express";
import type { Need } from "../../../platform/roles.ts";
import type { PageHandlers, SignedInPost, SignedInRequest, WebsiteServices } from "./page-request.ts";

/** A router for pages and forms that need a session, with its two ways to add one. Each form says what role it needs. */
export function signedInRoutes(services: WebsiteServices, { getSignedIn, postSignedIn }: PageHandlers) {
  const router = Router();
  return {
    router,
    get: (
      path: string,
      page: (services: WebsiteServices, request: SignedInRequest) => Promise<void>,
      need: Need = "read",
    ) =>
      router.get(
        path,
        getSignedIn((request) => page(services, request), need),
      ),
    post: (path: string, need: Need, act: (services: WebsiteServices, request: SignedInPost) => Promise<void>) =>
      router.post(path, ...postSignedIn((request) => act(services, request), need)),
  };
}

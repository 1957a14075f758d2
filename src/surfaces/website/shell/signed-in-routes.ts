import { Router } from "express";
import type { PageHandlers, SignedInPost, SignedInRequest, WebsiteServices } from "./page-request.ts";

/** A router for pages and forms that need a session, with its two ways to add one. */
export function signedInRoutes(services: WebsiteServices, { getSignedIn, postSignedIn }: PageHandlers) {
  const router = Router();
  return {
    router,
    get: (path: string, page: (services: WebsiteServices, request: SignedInRequest) => Promise<void>) =>
      router.get(
        path,
        getSignedIn((request) => page(services, request)),
      ),
    post: (path: string, act: (services: WebsiteServices, request: SignedInPost) => Promise<void>) =>
      router.post(path, ...postSignedIn((request) => act(services, request))),
  };
}

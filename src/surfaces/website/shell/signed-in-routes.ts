import { Router } from "express";
import type { Need } from "../../../platform/roles.ts";
import type { ListHandlers, PageHandlers, SignedInPost, SignedInRequest, WebsiteServices } from "./page-request.ts";

/** A router for pages and forms that need a session, with its ways to add one. Each form says what role it needs. */
export function signedInRoutes(services: WebsiteServices, pages: PageHandlers) {
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
        pages.getSignedIn((request) => page(services, request), need),
      ),
    post: (path: string, need: Need, act: (services: WebsiteServices, request: SignedInPost) => Promise<void>) => {
      pages.formNeeds.add(path, need);
      router.post(path, ...pages.postSignedIn((request) => act(services, request), need));
    },
    postList: (path: string, handlers: ListHandlers) => {
      pages.formNeeds.add(path, "index");
      router.post(path, pages.postList(handlers));
    },
  };
}

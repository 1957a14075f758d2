import { Router } from "express";
import type { PageHandlers, SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { appsPage, disconnectPost } from "./apps.ts";
import { buyPage } from "./buy.ts";
import { buyPost } from "./buy-pack.ts";
import { changePasswordPost } from "./change-password.ts";
import { createKeyPost } from "./create-key.ts";
import { keysPage, revokeKeyPost } from "./keys.ts";
import { ledgerPage } from "./ledger.ts";
import { orderPage } from "./order.ts";
import { ordersPage } from "./orders.ts";
import { overviewPage } from "./overview.ts";
import { projectPage } from "./project.ts";
import { projectsPage } from "./projects.ts";
import { securityPage } from "./security.ts";
import { endOtherSessionsPost, endSessionPost } from "./sessions.ts";

/** The dashboard. Its addresses of projects are part of the API (`dashboard_url`). */
export function dashboardRoutes(services: WebsiteServices, { getSignedIn, postSignedIn }: PageHandlers): Router {
  const router = Router();
  const get = (path: string, page: (services: WebsiteServices, request: SignedInRequest) => Promise<void>) =>
    router.get(
      path,
      getSignedIn((request) => page(services, request)),
    );
  const post = (path: string, act: (services: WebsiteServices, request: SignedInPost) => Promise<void>) =>
    router.post(path, ...postSignedIn((request) => act(services, request)));

  get("/dashboard", overviewPage);
  get("/dashboard/projects", projectsPage);
  get("/dashboard/projects/:id", projectPage);
  get("/dashboard/orders", ordersPage);
  get("/dashboard/orders/:id", orderPage);
  get("/dashboard/ledger", ledgerPage);
  get("/dashboard/buy", buyPage);
  post("/dashboard/buy", buyPost);
  get("/dashboard/keys", keysPage);
  post("/dashboard/keys", createKeyPost);
  post("/dashboard/keys/:id/revoke", revokeKeyPost);
  get("/dashboard/apps", appsPage);
  post("/dashboard/apps/:id/disconnect", disconnectPost);
  get("/dashboard/security", securityPage);
  post("/dashboard/security/password", changePasswordPost);
  post("/dashboard/security/sessions/end-others", endOtherSessionsPost);
  post("/dashboard/security/sessions/:id/end", endSessionPost);
  return router;
}

import { Router } from "express";
import type { SiteServices, Visits } from "../page-request.ts";
import { appsPage, disconnectPost } from "./apps.ts";
import { buyPage } from "./buy.ts";
import { buyPost } from "./buy-pack.ts";
import { passwordPost } from "./change-password.ts";
import { createPost } from "./create-key.ts";
import type { Signed, SignedPost } from "./dashboard-page.ts";
import { keysPage, revokePost } from "./keys.ts";
import { ledgerPage } from "./ledger.ts";
import { orderPage } from "./order.ts";
import { ordersPage } from "./orders.ts";
import { overview } from "./overview.ts";
import { projectPage } from "./project.ts";
import { projectsPage } from "./projects.ts";
import { securityPage } from "./security.ts";
import { endOthersPost, endPost } from "./sessions.ts";

/** What a person sees and does of the account, signed in. The addresses of projects are published by the API. */
export function dashboardPages(services: SiteServices, { getSignedIn, postSignedIn }: Visits): Router {
  const router = Router();
  const get = (path: string, page: (services: SiteServices, visit: Signed) => Promise<void>) =>
    router.get(
      path,
      getSignedIn((visit) => page(services, visit)),
    );
  const post = (path: string, act: (services: SiteServices, visit: SignedPost) => Promise<void>) =>
    router.post(path, ...postSignedIn((visit) => act(services, visit)));

  get("/dashboard", overview);
  get("/dashboard/projects", projectsPage);
  get("/dashboard/projects/:id", projectPage);
  get("/dashboard/orders", ordersPage);
  get("/dashboard/orders/:id", orderPage);
  get("/dashboard/ledger", ledgerPage);
  get("/dashboard/buy", buyPage);
  post("/dashboard/buy", buyPost);
  get("/dashboard/keys", keysPage);
  post("/dashboard/keys", createPost);
  post("/dashboard/keys/:id/revoke", revokePost);
  get("/dashboard/apps", appsPage);
  post("/dashboard/apps/:id/disconnect", disconnectPost);
  get("/dashboard/security", securityPage);
  post("/dashboard/security/password", passwordPost);
  post("/dashboard/security/sessions/end-others", endOthersPost);
  post("/dashboard/security/sessions/:id/end", endPost);
  return router;
}

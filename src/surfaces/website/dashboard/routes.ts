import type { Router } from "express";
import { CREDENTIALS_PATH } from "../../../contract/spending-refusal.ts";
import { newProjectPage, newProjectPost } from "../new-project/new-project.ts";
import { repeatsPost } from "../new-project/repeats.ts";
import type { PageHandlers, WebsiteServices } from "../page-request.ts";
import { advancePost } from "../sandbox/advance-clock.tsx";
import { signedInRoutes } from "../signed-in-routes.ts";
import { addSitePost, keyFile, sitesPage } from "../sites/sites-page.tsx";
import { changeWatchPost, runWatchPost, watchPage, watchStatusPost } from "../watches/watch-page.tsx";
import { addWatchPost, watchesPage } from "../watches/watches-page.tsx";
import { deletePushConfigPost } from "../webhooks/push-configs.tsx";
import {
  deleteWebhookPost,
  pingWebhookPost,
  repeatEventsPost,
  rotateSecretPost,
  webhookPage,
  webhookStatusPost,
} from "../webhooks/webhook-page.tsx";
import { addWebhookPost, webhooksPage } from "../webhooks/webhooks-page.tsx";
import { appPage, changeTermsPost, credentialPage } from "./app.tsx";
import { approvalPage, decideApprovalPost } from "./approval.tsx";
import { approvalsPage } from "./approvals.tsx";
import { appsPage, disconnectPost } from "./apps.tsx";
import { buyPage } from "./buy.tsx";
import { buyPost } from "./buy-pack.tsx";
import { changePasswordPost } from "./change-password.tsx";
import { createKeyPost } from "./create-key.tsx";
import { creditsPage } from "./credits.tsx";
import { downloadLinks, downloadProjects, downloadReport } from "./downloads.tsx";
import { changeKeyEndPost, changeKeyLimitsPost, keyPage, renameKeyPost } from "./key.tsx";
import { keysPage, revokeKeyPost } from "./keys.tsx";
import { ledgerPage } from "./ledger.tsx";
import { linkPage } from "./link.tsx";
import { noticesPage, noticesPost } from "./notices.tsx";
import { orderPage } from "./order.tsx";
import { ordersPage } from "./orders.tsx";
import { overviewPage } from "./overview.tsx";
import { PATHS, REPEATS_PATH, receiptPath, reportPath } from "./paths.ts";
import { projectPage } from "./project.tsx";
import { cancelProjectPost } from "./project-cancel.tsx";
import { projectsPage } from "./projects.tsx";
import { receiptPage } from "./receipt.tsx";
import { reportPage } from "./report.tsx";
import { securityPage } from "./security.tsx";
import { endOtherSessionsPost, endSessionPost } from "./sessions.tsx";

/** The dashboard. Its addresses of projects are part of the API (`dashboard_url`). */
export function dashboardRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.overview, overviewPage);
  get(PATHS.projects, projectsPage);
  get(PATHS.newProject, newProjectPage);
  router.post(PATHS.newProject, pages.postList(newProjectPost(services)));
  router.post(REPEATS_PATH, pages.postList(repeatsPost(services)));
  get(`${PATHS.projects}.csv`, downloadProjects("csv"));
  get(`${PATHS.projects}.json`, downloadProjects("json"));
  get(`${PATHS.projects}/:id`, projectPage);
  get(`${PATHS.projects}/:id/links.csv`, downloadLinks("csv"));
  get(`${PATHS.projects}/:id/links.json`, downloadLinks("json"));
  get(`${PATHS.projects}/:id/links/:linkId`, linkPage);
  get(reportPath(":id"), reportPage);
  get(`${reportPath(":id")}.csv`, downloadReport);
  post(`${PATHS.projects}/:id/advance`, advancePost);
  get(PATHS.watches, watchesPage);
  post(PATHS.watches, addWatchPost);
  get(`${PATHS.watches}/:id`, watchPage);
  post(`${PATHS.watches}/:id`, changeWatchPost);
  post(`${PATHS.watches}/:id/run`, runWatchPost);
  post(`${PATHS.watches}/:id/status`, watchStatusPost);
  get(PATHS.sites, sitesPage);
  post(PATHS.sites, addSitePost);
  get(`${PATHS.sites}/:id/key`, keyFile);
  post(`${PATHS.projects}/:id/cancel`, cancelProjectPost);
  get(PATHS.credits, creditsPage);
  get(PATHS.orders, ordersPage);
  get(`${PATHS.orders}/:id`, orderPage);
  get(receiptPath(":id"), receiptPage);
  get(PATHS.ledger, ledgerPage);
  get(PATHS.buy, buyPage);
  post(PATHS.buy, buyPost);
  get(PATHS.keys, keysPage);
  post(PATHS.keys, createKeyPost);
  get(`${PATHS.keys}/:id`, keyPage);
  post(`${PATHS.keys}/:id/name`, renameKeyPost);
  post(`${PATHS.keys}/:id/end`, changeKeyEndPost);
  post(`${PATHS.keys}/:id/limits`, changeKeyLimitsPost);
  post(`${PATHS.keys}/:id/revoke`, revokeKeyPost);
  get(PATHS.apps, appsPage);
  get(`${PATHS.apps}/:id`, appPage);
  post(`${PATHS.apps}/:id/limits`, changeTermsPost);
  post(`${PATHS.apps}/:id/disconnect`, disconnectPost);
  get(`${CREDENTIALS_PATH}/:id`, credentialPage);
  get(PATHS.approvals, approvalsPage);
  get(`${PATHS.approvals}/:id`, approvalPage);
  post(`${PATHS.approvals}/:id`, decideApprovalPost);
  get(PATHS.webhooks, webhooksPage);
  post(PATHS.webhooks, addWebhookPost);
  get(`${PATHS.webhooks}/:id`, webhookPage);
  post(`${PATHS.webhooks}/:id/status`, webhookStatusPost);
  post(`${PATHS.webhooks}/:id/ping`, pingWebhookPost);
  post(`${PATHS.webhooks}/:id/repeat`, repeatEventsPost);
  post(`${PATHS.webhooks}/:id/secret`, rotateSecretPost);
  post(`${PATHS.webhooks}/:id/delete`, deleteWebhookPost);
  post(`${PATHS.webhooks}/pushes/:id/delete`, deletePushConfigPost);
  get(PATHS.notices, noticesPage);
  post(PATHS.notices, noticesPost);
  get(PATHS.security, securityPage);
  post(`${PATHS.security}/password`, changePasswordPost);
  post(`${PATHS.security}/sessions/end-others`, endOtherSessionsPost);
  post(`${PATHS.security}/sessions/:id/end`, endSessionPost);
  return router;
}

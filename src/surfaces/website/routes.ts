import type { Router } from "express";
import { CREDENTIALS_PATH } from "../../contract/spending-refusal.ts";
import { changePasswordPost } from "./account/change-password.tsx";
import { noticesPage, noticesPost } from "./account/notices.tsx";
import { securityPage } from "./account/security.tsx";
import { endOtherSessionsPost, endSessionPost } from "./account/sessions.tsx";
import { appPage, changeTermsPost, credentialPage } from "./agents/app.tsx";
import { approvalPage, decideApprovalPost } from "./agents/approval.tsx";
import { approvalsPage } from "./agents/approvals.tsx";
import { appsPage, disconnectPost } from "./agents/apps.tsx";
import { createKeyPost } from "./agents/create-key.tsx";
import { changeKeyEndPost, changeKeyLimitsPost, keyPage, renameKeyPost } from "./agents/key.tsx";
import { keysPage, revokeKeyPost } from "./agents/keys.tsx";
import { deletePushConfigPost } from "./agents/webhooks/push-configs.tsx";
import {
  deleteWebhookPost,
  pingWebhookPost,
  repeatEventsPost,
  rotateSecretPost,
  webhookPage,
  webhookStatusPost,
} from "./agents/webhooks/webhook-page.tsx";
import { addWebhookPost, webhooksPage } from "./agents/webhooks/webhooks-page.tsx";
import { buyPage } from "./credits/buy.tsx";
import { buyPost } from "./credits/buy-pack.tsx";
import { creditsPage } from "./credits/credits.tsx";
import { ledgerPage } from "./credits/ledger.tsx";
import { orderPage } from "./credits/order.tsx";
import { ordersPage } from "./credits/orders.tsx";
import { receiptPage } from "./credits/receipt.tsx";
import { overviewPage } from "./overview/overview.tsx";
import { advancePost } from "./projects/advance-clock.tsx";
import { downloadLinks, downloadProjects, downloadReport } from "./projects/downloads.tsx";
import { linkPage } from "./projects/link.tsx";
import { newProjectPage, newProjectPost } from "./projects/new-project/new-project.ts";
import { repeatsPost } from "./projects/new-project/repeats.ts";
import { projectPage } from "./projects/project.tsx";
import { cancelProjectPost } from "./projects/project-cancel.tsx";
import { projectsPage } from "./projects/projects.tsx";
import { reportPage } from "./projects/report.tsx";
import { PATHS, REPEATS_PATH, receiptPath, reportPath } from "./shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "./shell/page-request.ts";
import { signedInRoutes } from "./shell/signed-in-routes.ts";
import { addSitePost, keyFile, sitesPage } from "./sites/sites-page.tsx";
import { changeWatchPost, runWatchPost, watchPage, watchStatusPost } from "./sites/watches/watch-page.tsx";
import { addWatchPost, watchesPage } from "./sites/watches/watches-page.tsx";

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

import type { Router } from "express";
import { CREDENTIALS_PATH } from "../../../contract/spending-refusal.ts";
import { PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { appPage, changeTermsPost, credentialPage } from "./app.tsx";
import { approvalPage, decideApprovalPost } from "./approval.tsx";
import { approvalsPage } from "./approvals.tsx";
import { appsPage, disconnectPost } from "./apps.tsx";
import { createKeyPost } from "./create-key.tsx";
import { changeKeyEndPost, changeKeyLimitsPost, keyPage, renameKeyPost } from "./key.tsx";
import { keysPage, revokeKeyPost } from "./keys.tsx";
import { deletePushConfigPost } from "./webhooks/push-configs.tsx";
import { endSubscriptionPost } from "./webhooks/subscriptions.tsx";
import {
  deleteWebhookPost,
  pingWebhookPost,
  repeatEventsPost,
  rotateSecretPost,
  webhookPage,
  webhookStatusPost,
} from "./webhooks/webhook-page.tsx";
import { addWebhookPost, webhooksPage } from "./webhooks/webhooks-page.tsx";

/** What acts for the account: keys, apps, agents and webhooks; what they may spend, and what they ask for. */
export function agentRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.keys, keysPage);
  post(PATHS.keys, "keys", createKeyPost);
  get(`${PATHS.keys}/:id`, keyPage);
  post(`${PATHS.keys}/:id/name`, "keys", renameKeyPost);
  post(`${PATHS.keys}/:id/end`, "keys", changeKeyEndPost);
  post(`${PATHS.keys}/:id/limits`, "keys", changeKeyLimitsPost);
  post(`${PATHS.keys}/:id/revoke`, "keys", revokeKeyPost);
  get(PATHS.apps, appsPage);
  get(`${PATHS.apps}/:id`, appPage);
  post(`${PATHS.apps}/:id/limits`, "keys", changeTermsPost);
  post(`${PATHS.apps}/:id/disconnect`, "own", disconnectPost);
  get(`${CREDENTIALS_PATH}/:id`, credentialPage);
  get(PATHS.approvals, approvalsPage);
  get(`${PATHS.approvals}/:id`, approvalPage);
  post(`${PATHS.approvals}/:id`, "approve", decideApprovalPost);
  get(PATHS.webhooks, webhooksPage);
  post(PATHS.webhooks, "index", addWebhookPost);
  get(`${PATHS.webhooks}/:id`, webhookPage);
  post(`${PATHS.webhooks}/:id/status`, "index", webhookStatusPost);
  post(`${PATHS.webhooks}/:id/ping`, "index", pingWebhookPost);
  post(`${PATHS.webhooks}/:id/repeat`, "index", repeatEventsPost);
  post(`${PATHS.webhooks}/:id/secret`, "index", rotateSecretPost);
  post(`${PATHS.webhooks}/:id/delete`, "index", deleteWebhookPost);
  post(`${PATHS.webhooks}/subscriptions/:id/end`, "keys", endSubscriptionPost);
  post(`${PATHS.webhooks}/pushes/:id/delete`, "keys", deletePushConfigPost);
  return router;
}

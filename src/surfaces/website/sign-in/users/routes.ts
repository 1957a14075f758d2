import { Router } from "express";
import { hasDemoAccount } from "../../../../platform/config/local.ts";
import type { FormPost, PageHandlers, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import {
  CANCEL_REMOVAL_PATH,
  CONFIRM_IDENTITY_PATH,
  LOST_FACTORS_PATH,
  PASSKEY_OPTIONS_PATH,
  SECOND_STEP_PATH,
} from "../../shell/return-to.ts";
import { confirmPost, showConfirm } from "./confirm.tsx";
import { confirmIdentityPost, showConfirmIdentity } from "./confirm-identity.tsx";
import { demoSignInPost, showDemoSignIn } from "./demo.tsx";
import { forgotPost, showForgot } from "./forgot.tsx";
import { cancelRemovalByLinkPost, lostFactorsPost, showCancelRemoval, showLostFactors } from "./lost-factors.tsx";
import { showMailSent } from "./mail-sent.tsx";
import { passkeyOptionsPost, passkeySignInPost } from "./passkey-sign-in.ts";
import { resetPost, showReset } from "./reset.tsx";
import { secondStepPost, showSecondStep } from "./second-step.tsx";
import { showSignIn, signInPost } from "./sign-in.tsx";
import { showSignOut, signOutPost } from "./sign-out.tsx";
import { showSignUp, signUpPost } from "./sign-up.tsx";

/** Sign-up, sign-in, sign-out and forgotten passwords. */
export function userRoutes(services: WebsiteServices, handlers: PageHandlers): Router {
  const router = Router();
  const get = (path: string, show: (request: PageRequest) => void | Promise<void>) =>
    router.get(path, handlers.get(show));
  const post = (path: string, act: (services: WebsiteServices, post: FormPost) => Promise<void>) =>
    router.post(path, ...handlers.post((form) => act(services, form)));

  get("/sign-up", (request) => showSignUp(services, request));
  post("/sign-up", signUpPost);
  get("/sign-up/sent", (request) => showMailSent(request, "/sign-up"));
  get("/confirm", (request) => showConfirm(services, request));
  post("/confirm", confirmPost);
  get("/sign-in", (request) => showSignIn(services, request));
  post("/sign-in", signInPost);
  post(PASSKEY_OPTIONS_PATH, passkeyOptionsPost);
  post("/sign-in/passkey", passkeySignInPost);
  get(SECOND_STEP_PATH, (request) => showSecondStep(services, request));
  post(SECOND_STEP_PATH, secondStepPost);
  get(LOST_FACTORS_PATH, (request) => showLostFactors(services, request));
  post(LOST_FACTORS_PATH, lostFactorsPost);
  get(CANCEL_REMOVAL_PATH, (request) => showCancelRemoval(services, request));
  post(CANCEL_REMOVAL_PATH, cancelRemovalByLinkPost);
  get(CONFIRM_IDENTITY_PATH, (request) => showConfirmIdentity(services, request));
  post(CONFIRM_IDENTITY_PATH, confirmIdentityPost);
  if (hasDemoAccount(services.config)) {
    get("/sign-in/demo", (request) => showDemoSignIn(services, request));
    post("/sign-in/demo", demoSignInPost);
  }
  get("/sign-out", showSignOut);
  post("/sign-out", signOutPost);
  get("/forgot", showForgot);
  post("/forgot", forgotPost);
  get("/forgot/sent", (request) => showMailSent(request, "/forgot"));
  get("/reset", (request) => showReset(services, request));
  post("/reset", resetPost);
  return router;
}

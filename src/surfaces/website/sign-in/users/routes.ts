import { Router } from "express";
import { hasDemoAccount } from "../../../../platform/config/local.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
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
import { forgotPost, showForgot } from "./forgot.tsx";
import { linkSignInPost, SIGN_IN_LINK_PATHS, showLinkSignIn } from "./link-sign-in.tsx";
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

  const { issuer, localSignIn } = services.config;
  const getLocal = localSignIn ? get : (path: string) => get(path, (request) => request.redirect("/sign-in"));
  const postLocal = localSignIn ? post : (path: string) => post(path, () => refuseLocal(issuer!.name));

  getLocal("/sign-up", (request) => showSignUp(services, request));
  postLocal("/sign-up", signUpPost);
  getLocal("/sign-up/sent", (request) => showMailSent(services, request, "/sign-up"));
  getLocal("/confirm", (request) => showConfirm(services, request));
  postLocal("/confirm", confirmPost);
  get("/sign-in", (request) => showSignIn(services, request));
  postLocal("/sign-in", signInPost);
  post(PASSKEY_OPTIONS_PATH, passkeyOptionsPost);
  postLocal("/sign-in/passkey", passkeySignInPost);
  get(SECOND_STEP_PATH, (request) => showSecondStep(services, request));
  post(SECOND_STEP_PATH, secondStepPost);
  get(LOST_FACTORS_PATH, (request) => showLostFactors(services, request));
  post(LOST_FACTORS_PATH, lostFactorsPost);
  get(CANCEL_REMOVAL_PATH, (request) => showCancelRemoval(services, request));
  post(CANCEL_REMOVAL_PATH, cancelRemovalByLinkPost);
  get(CONFIRM_IDENTITY_PATH, (request) => showConfirmIdentity(services, request));
  post(CONFIRM_IDENTITY_PATH, confirmIdentityPost);
  for (const kind of hasDemoAccount(services.config) ? (["operator", "demo"] as const) : (["operator"] as const)) {
    get(SIGN_IN_LINK_PATHS[kind], (request) => showLinkSignIn(services, request, kind));
    post(SIGN_IN_LINK_PATHS[kind], (_, form) => linkSignInPost(services, form, kind));
  }
  get("/sign-out", (request) => showSignOut(services, request));
  post("/sign-out", signOutPost);
  getLocal("/forgot", showForgot);
  postLocal("/forgot", forgotPost);
  getLocal("/forgot/sent", (request) => showMailSent(services, request, "/forgot"));
  getLocal("/reset", (request) => showReset(services, request));
  postLocal("/reset", resetPost);
  return router;
}

/** @throws Refusal not_found where people sign in by the issuer alone */
async function refuseLocal(name: string): Promise<never> {
  throw new Refusal("not_found", `People sign in here by ${name} alone.`);
}

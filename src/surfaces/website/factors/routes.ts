import { Router } from "express";
import type { PageHandlers, SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { addAppPost, newAppPage, removeAppPost } from "./authenticator-app.tsx";
import {
  addPasskeyPost,
  newPasskeyOptionsPost,
  newPasskeyPage,
  removePasskeyPost,
  renamePasskeyPost,
} from "./passkeys.tsx";
import { FACTOR_PATHS } from "./paths.ts";
import { newRecoveryCodesPage, recoveryCodesPost } from "./recovery-codes.tsx";
import { cancelRemovalPost, secondStepSettingPost } from "./second-step-setting.ts";

/** Passkeys, the authenticator app and recovery codes of the account. */
export function factorRoutes(services: WebsiteServices, { getSignedIn, postSignedIn }: PageHandlers): Router {
  const router = Router();
  const get = (path: string, page: (services: WebsiteServices, request: SignedInRequest) => Promise<void>) =>
    router.get(
      path,
      getSignedIn((request) => page(services, request)),
    );
  const post = (path: string, act: (services: WebsiteServices, request: SignedInPost) => Promise<void>) =>
    router.post(path, ...postSignedIn((request) => act(services, request)));

  get(FACTOR_PATHS.newPasskey, newPasskeyPage);
  post(FACTOR_PATHS.passkeyOptions, newPasskeyOptionsPost);
  post(FACTOR_PATHS.passkeys, addPasskeyPost);
  post(`${FACTOR_PATHS.passkeys}/:id/rename`, renamePasskeyPost);
  post(`${FACTOR_PATHS.passkeys}/:id/remove`, removePasskeyPost);
  get(FACTOR_PATHS.newApp, newAppPage);
  post(FACTOR_PATHS.app, addAppPost);
  post(FACTOR_PATHS.removeApp, removeAppPost);
  get(FACTOR_PATHS.recoveryCodes, newRecoveryCodesPage);
  post(FACTOR_PATHS.recoveryCodes, recoveryCodesPost);
  post(FACTOR_PATHS.secondStep, secondStepSettingPost);
  post(FACTOR_PATHS.cancelRemoval, cancelRemovalPost);
  return router;
}

import type { Router } from "express";
import { FACTOR_PATHS } from "../../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../../shell/page-request.ts";
import { signedInRoutes } from "../../shell/signed-in-routes.ts";
import { addAppPost, newAppPage, removeAppPost } from "./app-pages.tsx";
import {
  addPasskeyPost,
  newPasskeyOptionsPost,
  newPasskeyPage,
  removePasskeyPost,
  renamePasskeyPost,
} from "./passkey-pages.tsx";
import { newRecoveryCodesPage, recoveryCodesPost } from "./recovery-code-pages.tsx";
import { cancelRemovalPost, secondStepSettingPost } from "./second-step-setting.ts";

/** Passkeys, the authenticator app and recovery codes of the account. */
export function factorRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

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

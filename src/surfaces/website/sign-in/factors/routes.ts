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
  post(FACTOR_PATHS.passkeyOptions, "own", newPasskeyOptionsPost);
  post(FACTOR_PATHS.passkeys, "own", addPasskeyPost);
  post(`${FACTOR_PATHS.passkeys}/:id/rename`, "own", renamePasskeyPost);
  post(`${FACTOR_PATHS.passkeys}/:id/remove`, "own", removePasskeyPost);
  get(FACTOR_PATHS.newApp, newAppPage);
  post(FACTOR_PATHS.app, "own", addAppPost);
  post(FACTOR_PATHS.removeApp, "own", removeAppPost);
  get(FACTOR_PATHS.recoveryCodes, newRecoveryCodesPage);
  post(FACTOR_PATHS.recoveryCodes, "own", recoveryCodesPost);
  post(FACTOR_PATHS.secondStep, "own", secondStepSettingPost);
  post(FACTOR_PATHS.cancelRemoval, "own", cancelRemovalPost);
  return router;
}

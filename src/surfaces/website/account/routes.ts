import type { Router } from "express";
import { CONFIRM_ADDRESS_PATH, UNDO_ADDRESS_PATH } from "../../../domain/users/change-address.ts";
import { ACCOUNT_PATHS, DELETION_PATH, PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { addressPage, addressPost } from "./address.tsx";
import { changePasswordPost } from "./change-password.tsx";
import { confirmAddressPost, showConfirmAddress } from "./confirm-address.tsx";
import { deleteAccountPage, deleteAccountPost } from "./delete-account.tsx";
import { deletionPendingPage, keepAccountPost } from "./deletion-pending.tsx";
import { downloadExport, exportPage, exportPost } from "./export.tsx";
import { namePost } from "./name.tsx";
import { noticesPage, noticesPost } from "./notices.tsx";
import { securityPage } from "./security.tsx";
import { endOtherSessionsPost, endSessionPost } from "./sessions.tsx";
import { showUndoAddress, undoAddressPost } from "./undo-address.tsx";
import { unsubscribeRoutes } from "./unsubscribe.tsx";

/** How a user signs in and is mailed, the account's address and name, its deletion, and the export of what it holds. */
export function accountRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.notices, noticesPage);
  post(PATHS.notices, noticesPost);
  get(PATHS.security, securityPage);
  post(`${PATHS.security}/password`, changePasswordPost);
  post(`${PATHS.security}/sessions/end-others`, endOtherSessionsPost);
  post(`${PATHS.security}/sessions/:id/end`, endSessionPost);
  get(ACCOUNT_PATHS.address, addressPage);
  post(ACCOUNT_PATHS.address, addressPost);
  get(ACCOUNT_PATHS.delete, deleteAccountPage);
  post(ACCOUNT_PATHS.delete, deleteAccountPost);
  get(DELETION_PATH, deletionPendingPage);
  post(DELETION_PATH, keepAccountPost);
  post(ACCOUNT_PATHS.name, namePost);
  get(ACCOUNT_PATHS.export, exportPage);
  post(ACCOUNT_PATHS.export, exportPost);
  get(`${ACCOUNT_PATHS.export}/:id`, downloadExport);
  router.get(
    CONFIRM_ADDRESS_PATH,
    pages.get((request) => showConfirmAddress(services, request)),
  );
  router.post(CONFIRM_ADDRESS_PATH, ...pages.post((form) => confirmAddressPost(services, form)));
  router.get(
    UNDO_ADDRESS_PATH,
    pages.get((request) => showUndoAddress(services, request)),
  );
  router.post(UNDO_ADDRESS_PATH, ...pages.post((form) => undoAddressPost(services, form)));
  router.use(unsubscribeRoutes(services, pages));
  return router;
}

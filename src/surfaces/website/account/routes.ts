import type { Router } from "express";
import { ACCOUNT_PATHS, ACCOUNTS_PATH, DELETION_PATH, PATHS } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { activityPage } from "./activity.tsx";
import { addressPage, addressPost } from "./address.tsx";
import { changePasswordPost } from "./change-password.tsx";
import { confirmAddressPost, showConfirmAddress } from "./confirm-address.tsx";
import { deleteAccountPage, deleteAccountPost } from "./delete-account.tsx";
import { deletionPendingPage, keepAccountPost } from "./deletion-pending.tsx";
import { CONFIRM_ADDRESS_PATH, UNDO_ADDRESS_PATH } from "./domain.ts";
import { downloadExport, exportPage, exportPost } from "./export.tsx";
import { namePost } from "./name.tsx";
import { noticesPage, noticesPost } from "./notices.tsx";
import { accountsPage, chooseAccountPost, joinPost } from "./own-accounts.tsx";
import {
  budgetPost,
  changeRolePost,
  invitePost,
  peoplePage,
  removeMemberPost,
  revokeInvitationPost,
} from "./people.tsx";
import { profilePage } from "./profile.tsx";
import { securityPage } from "./security.tsx";
import { endOtherSessionsPost, endSessionPost } from "./sessions.tsx";
import { showUndoAddress, undoAddressPost } from "./undo-address.tsx";
import { unsubscribeRoutes } from "./unsubscribe.tsx";
import { usagePage } from "./usage.tsx";

/** How a user signs in and is mailed, the account's address and name, its deletion, and the export of what it holds. */
export function accountRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.people, peoplePage);
  post(PATHS.people, "people", invitePost);
  post(`${PATHS.people}/invitations/:id/revoke`, "people", revokeInvitationPost);
  post(`${PATHS.people}/:id/role`, "people", changeRolePost);
  post(`${PATHS.people}/:id/budget`, "people", budgetPost);
  post(`${PATHS.people}/:id/remove`, "own", removeMemberPost);
  get(ACCOUNT_PATHS.activity, activityPage);
  get(ACCOUNTS_PATH, accountsPage);
  post(ACCOUNTS_PATH, "own", chooseAccountPost);
  post(`${ACCOUNTS_PATH}/join`, "own", joinPost);
  get(PATHS.notices, noticesPage);
  post(PATHS.notices, "settings", noticesPost);
  get(PATHS.profile, profilePage);
  get(PATHS.security, securityPage);
  post(`${PATHS.security}/password`, "own", changePasswordPost);
  post(`${PATHS.security}/sessions/end-others`, "own", endOtherSessionsPost);
  post(`${PATHS.security}/sessions/:id/end`, "own", endSessionPost);
  get(PATHS.usage, usagePage);
  get(ACCOUNT_PATHS.address, addressPage);
  post(ACCOUNT_PATHS.address, "own", addressPost);
  get(ACCOUNT_PATHS.delete, deleteAccountPage, "owners");
  post(ACCOUNT_PATHS.delete, "owners", deleteAccountPost);
  get(DELETION_PATH, deletionPendingPage);
  post(DELETION_PATH, "owners", keepAccountPost);
  post(ACCOUNT_PATHS.name, "settings", namePost);
  get(ACCOUNT_PATHS.export, exportPage, "settings");
  post(ACCOUNT_PATHS.export, "settings", exportPost);
  get(`${ACCOUNT_PATHS.export}/:id`, downloadExport, "settings");
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

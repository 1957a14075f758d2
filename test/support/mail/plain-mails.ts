import { accountDeleted } from "../../../src/domain/mail/templates/account-deleted.ts";
import { accountExists } from "../../../src/domain/mail/templates/account-exists.ts";
import { addressChangeRequested } from "../../../src/domain/mail/templates/address-change-requested.ts";
import { addressChanged } from "../../../src/domain/mail/templates/address-changed.ts";
import { addressIsNow } from "../../../src/domain/mail/templates/address-is-now.ts";
import { addressKept } from "../../../src/domain/mail/templates/address-kept.ts";
import { addressRestored } from "../../../src/domain/mail/templates/address-restored.ts";
import { addressTaken } from "../../../src/domain/mail/templates/address-taken.ts";
import { addressTakenBack } from "../../../src/domain/mail/templates/address-taken-back.ts";
import { agentConnected } from "../../../src/domain/mail/templates/agent-connected.ts";
import { appAdded } from "../../../src/domain/mail/templates/app-added.ts";
import { appConnected } from "../../../src/domain/mail/templates/app-connected.ts";
import { appRemoved } from "../../../src/domain/mail/templates/app-removed.ts";
import { confirmAddress } from "../../../src/domain/mail/templates/confirm-address.ts";
import { confirmNewAddress } from "../../../src/domain/mail/templates/confirm-new-address.ts";
import { deletionCancelled } from "../../../src/domain/mail/templates/deletion-cancelled.ts";
import { deletionRequested } from "../../../src/domain/mail/templates/deletion-requested.ts";
import { exportReady } from "../../../src/domain/mail/templates/export-ready.ts";
import { factorsRemoved } from "../../../src/domain/mail/templates/factors-removed.ts";
import { invited } from "../../../src/domain/mail/templates/invited.ts";
import { issuerConnected } from "../../../src/domain/mail/templates/issuer-connected.ts";
import { issuerDisconnected } from "../../../src/domain/mail/templates/issuer-disconnected.ts";
import { keyAdded } from "../../../src/domain/mail/templates/key-added.ts";
import { memberRemoved } from "../../../src/domain/mail/templates/member-removed.ts";
import { passkeyAdded } from "../../../src/domain/mail/templates/passkey-added.ts";
import { passkeyRefused } from "../../../src/domain/mail/templates/passkey-refused.ts";
import { passkeyRemoved } from "../../../src/domain/mail/templates/passkey-removed.ts";
import { passwordChanged } from "../../../src/domain/mail/templates/password-changed.ts";
import { recoveryCodeUsed } from "../../../src/domain/mail/templates/recovery-code-used.ts";
import { removalReminder } from "../../../src/domain/mail/templates/removal-reminder.ts";
import { removalRequested } from "../../../src/domain/mail/templates/removal-requested.ts";
import { resetLink } from "../../../src/domain/mail/templates/reset-link.ts";
import { signInFailing } from "../../../src/domain/mail/templates/sign-in-failing.ts";
import { signedInByNewBrowser } from "../../../src/domain/mail/templates/signed-in-by-new-browser.ts";

// The mails of paragraphs, by what they are about.
export const users = { confirmAddress, accountExists, resetLink, passwordChanged, signInFailing };
export const access = { keyAdded, appConnected, signedInByNewBrowser, issuerConnected, issuerDisconnected };
export const address = {
  confirmNewAddress,
  addressTaken,
  addressKept,
  addressChangeRequested,
  addressChanged,
  addressIsNow,
  addressRestored,
  addressTakenBack,
};
export const factors = {
  passkeyAdded,
  passkeyRemoved,
  passkeyRefused,
  appAdded,
  appRemoved,
  recoveryCodeUsed,
  removalRequested,
  removalReminder,
  factorsRemoved,
};
export const members = { invited, memberRemoved };
export const deletion = { deletionRequested, deletionCancelled, accountDeleted };
export const exports = { exportReady };
export const claim = { agentConnected };

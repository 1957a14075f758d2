import { bindFirst, bindSecond } from "../../platform/bind.ts";
import { authenticatorAppOf } from "../factors/authenticator-app.ts";
import { factorsOf } from "../factors/factors.ts";
import { ownFactors } from "../factors/own-factors.ts";
import { renamePasskey } from "../factors/passkeys.ts";
import { registrationOptions, verifyRegistration } from "../factors/register-passkey.ts";
import { removalByLink } from "../factors/removals.ts";
import { identitiesOf } from "../issuer/identities.ts";
import { personByEmail, personById } from "../people/people.ts";
import { confirmAddressChange, requestAddressChange } from "./change-address.ts";
import { changePassword } from "./change-password.ts";
import { confirmSignUp } from "./confirm.ts";
import { completeSignIn, confirmByFactor, passkeyOptions, signInByPasskey } from "./factor-sign-in.ts";
import { disconnectIssuer } from "./issuer-connection.ts";
import { goToIssuer, returnFromIssuer } from "./issuer-sign-in.ts";
import { cancelRemovalByLink, requestFactorRemoval } from "./lost-factors.ts";
import { linkOf } from "./mailed-links.ts";
import {
  cancelOwnRemoval,
  registerApp,
  registerPasskey,
  removeApp,
  removePasskey,
  renewRecoveryCodes,
  setSecondStep,
} from "./manage-factors.ts";
import { pendingSignInOf } from "./pending-sign-ins.ts";
import { requestPasswordReset, resetPassword } from "./reset.ts";
import { endSession, lockSession, sessionOf, touchSession } from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { signInByLink, signInLinkOf } from "./sign-in-links.ts";
import { requestSignUp } from "./sign-up.ts";
import { undoAddressChange } from "./undo-address.ts";
import type { UserServices } from "./users.ts";

/**
 * What a page can do for people who sign up and in, with the services that it takes. What is done in a transaction of the page
 * takes that first.
 */
export function openUsers(services: UserServices) {
  const { db } = services;
  return {
    ...bindFirst(services, { requestSignUp, confirmSignUp, signIn, signInByLink }),
    ...bindFirst(services, { requestPasswordReset, resetPassword, changePassword }),
    ...bindFirst(services, { requestAddressChange, confirmAddressChange, undoAddressChange }),
    ...bindFirst(db, { linkOf, signInLinkOf, pendingSignInOf, personById, personByEmail }),
    sessions: { ...bindFirst(db, { sessionOf, touchSession }), lockSession, endSession },
    factors: {
      ...bindFirst(services, { passkeyOptions, signInByPasskey, completeSignIn, confirmByFactor }),
      ...bindFirst(services, { requestFactorRemoval, cancelRemovalByLink }),
      ...bindFirst(db, { factorsOf, ownFactors, authenticatorAppOf, removalByLink }),
      ...bindFirst(db, { registrationOptions, verifyRegistration }),
      ...bindSecond(services, { registerPasskey, registerApp, removePasskey, removeApp }),
      ...{ renamePasskey, renewRecoveryCodes, setSecondStep, cancelOwnRemoval },
    },
    issuer: {
      ...bindFirst(services, { goToIssuer, returnFromIssuer }),
      ...bindSecond(services, { disconnectIssuer }),
      ...bindFirst(db, { identitiesOf }),
    },
  };
}

export type Users = ReturnType<typeof openUsers>;

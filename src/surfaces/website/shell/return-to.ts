import { localPath } from "./local-path.ts";

/** The page that asks for a passkey or a code after the password. */
export const SECOND_STEP_PATH = "/sign-in/second-step";

/** The pages for somebody who has lost every factor, and for an owner who has not. */
export const LOST_FACTORS_PATH = "/sign-in/lost";
export const CANCEL_REMOVAL_PATH = "/sign-in/lost/cancel";

/** Where the script of passkeys gets the options of a ceremony that uses one. */
export const PASSKEY_OPTIONS_PATH = "/sign-in/passkey/options";

/** The page that asks somebody who is signed in to prove again who they are. */
export const CONFIRM_IDENTITY_PATH = "/sign-in/confirm";

/** Where people go to the issuer of OpenID Connect, and connect themselves with it. */
export const ISSUER_PATHS = {
  go: "/sign-in/oidc",
  signOut: "/sign-out/oidc",
  connection: "/dashboard/security/issuer",
  disconnect: "/dashboard/security/issuer/disconnect",
} as const;

/** The path of a page of the sign-in, with `return_to`, the page to continue to afterwards. */
export function withReturnTo(path: string, returnTo: string, more: Readonly<Record<string, string>> = {}): string {
  const isDefault = returnTo === localPath("");
  const query = new URLSearchParams({ ...more, ...(isDefault ? {} : { return_to: returnTo }) }).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Why the page to continue to needs a sign-in; null when there is nothing to say. */
export function signInReason(returnTo: string): string | null {
  const path = returnTo.split("?")[0]!;
  return Object.hasOwn(REASONS, path) ? REASONS[path]! : null;
}

const REASONS: Readonly<Record<string, string>> = {
  "/dashboard/buy": "Credits belong to an account. Sign in to continue.",
  "/oauth/authorize": "An app asks to be connected to your account. Sign in to decide what it may do.",
  "/claim":
    "An agent asks to be connected to your account. Sign in with the e-mail address that you gave it to decide what it may do.",
};

import { PATHS } from "../../shell/addresses.ts";

/** Where users add and remove what they prove themselves by. */
export const FACTOR_PATHS = {
  section: `${PATHS.security}#factors`,
  passkeys: `${PATHS.security}/passkeys`,
  newPasskey: `${PATHS.security}/passkeys/new`,
  passkeyOptions: `${PATHS.security}/passkeys/options`,
  app: `${PATHS.security}/app`,
  newApp: `${PATHS.security}/app/new`,
  removeApp: `${PATHS.security}/app/remove`,
  recoveryCodes: `${PATHS.security}/recovery-codes`,
  secondStep: `${PATHS.security}/second-step`,
  cancelRemoval: `${PATHS.security}/removal/cancel`,
} as const;

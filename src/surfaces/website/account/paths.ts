import { PATHS } from "../dashboard/paths.ts";

/** Where users change the e-mail address of their account. */
export const ACCOUNT_PATHS = {
  address: `${PATHS.security}/address`,
} as const;

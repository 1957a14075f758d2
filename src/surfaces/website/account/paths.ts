import { PATHS } from "../shell/addresses.ts";

/** Where users change the e-mail address of their account, delete it, and export what it holds. */
export const ACCOUNT_PATHS = {
  address: `${PATHS.security}/address`,
  delete: `${PATHS.security}/delete`,
  export: `${PATHS.security}/export`,
  name: `${PATHS.security}/name`,
} as const;

/** The page of an account that will be deleted, on which it can be kept. */
export const DELETION_PATH = "/account/deletion";

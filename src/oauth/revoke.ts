import { OAuthError } from "../oauth-errors.ts";
import type { Endpoint } from "./endpoint.ts";

/** Token revocation (RFC 7009): whoever holds any token of an app or agent may disconnect it. */
export const revoke: Endpoint = {
  method: "POST",
  body: "form",
  errors: "flat",
  async run() {
    throw new OAuthError("server_error", "Not built yet.");
  },
};

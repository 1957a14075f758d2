import { OAuthError } from "../oauth-errors.ts";
import type { Endpoint } from "./endpoint.ts";

/** The token endpoint (RFC 6749 section 3.2). */
export const token: Endpoint = {
  method: "POST",
  body: "form",
  errors: "flat",
  async run() {
    throw new OAuthError("server_error", "Not built yet.");
  },
};

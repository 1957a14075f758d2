import { OAuthError } from "../oauth-errors.ts";
import type { Endpoint } from "./endpoint.ts";

/** Dynamic client registration (RFC 7591): public clients only. */
export const register: Endpoint = {
  method: "POST",
  body: "json",
  errors: "flat",
  async run() {
    throw new OAuthError("server_error", "Not built yet.");
  },
};

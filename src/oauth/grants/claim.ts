import { OAuthError } from "../../oauth-errors.ts";
import type { GrantType } from "./grant-type.ts";

export const claim: GrantType = async () => {
  throw new OAuthError("server_error", "Not built yet.");
};

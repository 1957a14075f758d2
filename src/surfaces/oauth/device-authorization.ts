import type { ClaimAttempt } from "../../domain/agents/registrations.ts";
import type { Config } from "../../platform/config/config.ts";

/** The link and the code that an agent shows its user, with the field names of auth.md (RFC 8628 section 3.2). */
export function deviceAuthorization(
  { attempt, userCode, codeExpiresAt, interval }: ClaimAttempt,
  { siteUrl }: Config,
  now: number,
) {
  return {
    user_code: userCode,
    expires_in: Math.floor((codeExpiresAt - now) / 1000),
    verification_uri: `${siteUrl}/claim?attempt=${attempt}`,
    interval,
  };
}

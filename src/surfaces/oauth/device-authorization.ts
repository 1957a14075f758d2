import type { ClaimAttempt } from "../../domain/auth/registrations.ts";
import type { Config } from "../../platform/config/config.ts";

/** What an agent shows its user: a link and, apart from it, a code; both in the words of auth.md. */
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

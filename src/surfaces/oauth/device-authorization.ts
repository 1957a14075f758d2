import type { Attempt } from "../../domain/auth/registrations.ts";
import type { Config } from "../../platform/config/config.ts";

/** What an agent shows its person: a link and, apart from it, a code; both in the words of auth.md. */
export function ceremony({ attempt, userCode, codeExpiresAt, interval }: Attempt, { siteUrl }: Config, now: number) {
  return {
    user_code: userCode,
    expires_in: Math.floor((codeExpiresAt - now) / 1000),
    verification_uri: `${siteUrl}/claim?attempt=${attempt}`,
    interval,
  };
}

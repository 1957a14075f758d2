import { type PollRefusal, pollRegistration } from "../../../domain/agents/polling.ts";
import { iso } from "../../../platform/clock.ts";
import { OAuthError, type OAuthErrorCode } from "../../../platform/errors/oauth-errors.ts";
import { requiredParameter } from "../form.ts";
import { agentTokenResponse } from "./agent-answer.ts";
import type { GrantType } from "./grant-type.ts";
import { audienceIn } from "./token-response.ts";

/** Exchanges a claim token for an agent's first tokens, once its user has approved it (auth.md; RFC 8628 section 3.5). */
export const claim: GrantType = async ({ db, config }, { form, now }) => {
  const outcome = await pollRegistration(db, {
    claimToken: requiredParameter(form, "claim_token"),
    siteUrl: config.siteUrl,
    audience: audienceIn(form, config) ?? "",
    now,
  });
  if (typeof outcome === "string") throw new OAuthError(...REFUSALS[outcome]);
  return {
    ...agentTokenResponse(outcome.access, outcome.scopes),
    identity_assertion: outcome.assertion,
    assertion_expires: iso(outcome.assertionExpiresAt),
  };
};

const REFUSALS: Readonly<Record<PollRefusal, [OAuthErrorCode, string]>> = {
  unknown: ["invalid_grant", "There is no registration with this claim_token. Register again."],
  used: ["invalid_grant", "The tokens were delivered before, which happens once. Renew with the identity_assertion."],
  disconnected: ["invalid_grant", "The agent was disconnected before it collected its tokens. Register again."],
  denied: ["access_denied", "The user declined, or the registration was locked or withdrawn. Stop polling."],
  expired: ["expired_token", "The code was not entered in time. Request a new one from claim_url, within 24 hours."],
  too_fast: ["slow_down", "Add 5 seconds to the interval for all further polls."],
  pending: ["authorization_pending", "The user has not entered the code yet. Poll again after the interval."],
};

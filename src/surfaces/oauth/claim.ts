import { type RegistrationRow, registrationOf, reissueAttempt } from "../../domain/agents/registrations.ts";
import { normaliseEmail } from "../../domain/people/email.ts";
import { iso } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { invalid, textIn } from "./agent-input.ts";
import { deviceAuthorization } from "./device-authorization.ts";
import type { Endpoint } from "./endpoint.ts";

type Json = Parameters<typeof textIn>[0];

/** Issues a new code and link for a pending registration (auth.md), and voids the previous ones. */
export const claim: Endpoint = {
  method: "POST",
  body: "json",
  errors: "object",
  async run({ db, config, guard }, { json, ip, now }) {
    const claimToken = textIn(json, "claim_token");
    if (claimToken === undefined) throw invalid("claim_token", "is missing");
    const registration = await registrationOf(db, claimToken);
    if (!registration || registration.status === "withdrawn")
      throw new Refusal("invalid_claim_token", "There is no registration with this claim_token. Register again.");
    refuseMismatch(json, registration);
    const attempt = await reissueAttempt(db, registration, now);
    if (attempt === "answered")
      throw new Refusal(
        "claimed_or_in_flight",
        "The registration was already answered, or is locked. Poll the token endpoint for the result.",
      );
    if (attempt === "expired")
      throw new Refusal("claim_expired", "The registration has been open for 24 hours. Register again.");
    guard.countAnonymous(ip);
    const shown = deviceAuthorization(attempt, config, now);
    const body = {
      registration_id: attempt.registrationId,
      claim_attempt_id: attempt.attemptId,
      status: "initiated",
      expires_at: iso(attempt.codeExpiresAt),
      // auth.md calls it claim_attempt here; claim is its name in the answer to a registration.
      claim_attempt: shown,
      claim: shown,
    };
    return { status: 200, body };
  },
};

/** The members that auth.md lets an agent repeat are optional, but must equal what it registered with. */
function refuseMismatch(json: Json, { email }: RegistrationRow): void {
  const type = textIn(json, "type") ?? "login_hint";
  if (!["login_hint", "service_auth"].includes(type)) throw invalid("type", "must be login_hint or absent");
  const hint = textIn(json, "login_hint");
  if (hint !== undefined && normaliseEmail(hint) !== email)
    throw invalid("login_hint", "is not the e-mail address of the registration");
}

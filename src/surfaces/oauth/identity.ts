import { registerAgent } from "../../domain/agents/registrations.ts";
import { scopesIn } from "../../domain/credentials/scopes.ts";
import { normaliseEmail } from "../../domain/people/email.ts";
import { iso } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { SCOPES, type Scope } from "../../platform/principal.ts";
import { agentNameIn, invalid, textIn } from "./agent-input.ts";
import { deviceAuthorization } from "./device-authorization.ts";
import type { Endpoint } from "./endpoint.ts";

type Json = Parameters<typeof textIn>[0];

/**
 * Registers an agent that knows its user's e-mail address (auth.md, `service_auth`). The answer is the same whether the
 * address has an account or not. No mail is sent: the user proves the address by signing in with it.
 */
export const identity: Endpoint = {
  method: "POST",
  body: "json",
  errors: "object",
  async run({ db, config }, { json, ip, now }) {
    refuseOtherTypes(textIn(json, "type"));
    const email = emailIn(json);
    const agentName = agentNameIn(json);
    const scopes = requestedScopes(textIn(json, "scope"));
    const registered = await registerAgent(db, { email, agentName, scopes, ip, now });
    const body = {
      registration_id: registered.registrationId,
      registration_type: "service_auth",
      claim_url: `${config.siteUrl}/api/agent/identity/claim`,
      claim_token: registered.claimToken,
      claim_token_expires: iso(registered.expiresAt),
      post_claim_scopes: scopes,
      claim: deviceAuthorization(registered, config, now),
    };
    return { status: 200, body };
  },
};

/** Types of registration in auth.md that need a trusted issuer. */
const BY_ISSUER: readonly string[] = ["identity_assertion", "id_jag", "id-jag", "verified_email"];

function refuseOtherTypes(type: string | undefined): void {
  if (type === "service_auth") return;
  const instead = "Register with type service_auth and the e-mail address of your user in login_hint.";
  if (type === "anonymous") throw new Refusal("anonymous_not_enabled", `Anonymous agents are not accepted. ${instead}`);
  if (type !== undefined && BY_ISSUER.includes(type))
    throw new Refusal("issuer_not_enabled", `Identity assertions of other issuers are not accepted. ${instead}`);
  throw invalid("type", "must be service_auth");
}

function emailIn(json: Json): string {
  const email = normaliseEmail(textIn(json, "login_hint") ?? "");
  if (email === null) throw invalid("login_hint", "must be the e-mail address of your user");
  return email;
}

/** Unknown scopes are ignored (RFC 6749 section 3.3); without the member all are requested. */
function requestedScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return SCOPES;
  const scopes = scopesIn(text);
  if (scopes.length === 0) throw invalid("scope", `must name at least one of ${SCOPES.join(", ")}`);
  return scopes;
}

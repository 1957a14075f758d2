import { grantOfToken } from "../../domain/oauth/revocation.ts";
import { siteUrlsOf } from "../../platform/config/local.ts";
import { OAuthError } from "../../platform/errors/oauth-errors.ts";
import type { Endpoint, Form, OAuthServices } from "./endpoint.ts";
import { refuseClientSecrets, requiredParameter } from "./form.ts";
import { authorizationCode } from "./grants/authorization-code.ts";
import { claim } from "./grants/claim.ts";
import type { GrantType } from "./grants/grant-type.ts";
import { jwtBearer } from "./grants/jwt-bearer.ts";
import { refreshToken } from "./grants/refresh-token.ts";
import type { GRANT_TYPES } from "./metadata.ts";

/** The grant types by name. The metadata announces the same ones. */
export const GRANTS: Readonly<Record<(typeof GRANT_TYPES)[number], GrantType>> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  "urn:ietf:params:oauth:grant-type:jwt-bearer": jwtBearer,
  "urn:beckon:agent-auth:grant-type:claim": claim,
};

/** The token endpoint (RFC 6749 section 3.2). */
export const token: Endpoint = {
  method: "POST",
  body: "form",
  errors: "flat",
  async run(services, { form, ip, now }) {
    refuseClientSecrets(form);
    const name = requiredParameter(form, "grant_type");
    if (!isGrantType(name)) throw new OAuthError("unsupported_grant_type", "This grant_type is not supported.");
    await countRenewal(services, form, now);
    return { status: 200, body: await GRANTS[name](services, { form, ip, now }) };
  },
};

/** Counts a renewal as a request of the app or agent, like its calls (docs/rules.md rule 11). @throws Refusal rate_limited */
async function countRenewal({ db, config, guard }: OAuthServices, form: Form, now: number): Promise<void> {
  const token = form.get("refresh_token") ?? form.get("assertion");
  const grant = token === undefined ? null : await grantOfToken(db, { token, siteUrls: siteUrlsOf(config), now });
  if (grant) guard.countRequest(grant.id);
}

function isGrantType(name: string): name is keyof typeof GRANTS {
  return Object.hasOwn(GRANTS, name);
}

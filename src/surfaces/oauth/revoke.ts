import { withdrawRegistration } from "../../domain/agents/registrations.ts";
import { isSecret } from "../../domain/credentials/secrets.ts";
import { revokeGrant } from "../../domain/oauth/grants.ts";
import { grantOfToken } from "../../domain/oauth/revocation.ts";
import { siteUrlsOf } from "../../platform/config/local.ts";
import type { Endpoint } from "./endpoint.ts";
import { invalidClient, refuseClientSecrets, requiredParameter } from "./form.ts";

const DONE = { status: 200, body: null } as const;

/**
 * Token revocation (RFC 7009): whoever has any token of an app or agent may disconnect it. `token_type_hint` is
 * ignored, because a token's prefix tells its type. An unknown token, or an API key, is answered like an ended one
 * (section 2.2). It changes nothing, but counts as a request without a credential.
 */
export const revoke: Endpoint = {
  method: "POST",
  body: "form",
  errors: "flat",
  async run({ db, config, guard }, { form, ip, now }) {
    refuseClientSecrets(form);
    const token = requiredParameter(form, "token");
    const clientId = form.get("client_id");
    if (isSecret("claim", token)) {
      if (clientId !== undefined) throw wrongClient();
      if (!(await withdrawRegistration(db, token, { ip, now }))) guard.countAnonymous(ip);
      return DONE;
    }
    const grant = await grantOfToken(db, { token, siteUrls: siteUrlsOf(config), now });
    if (!grant) {
      guard.countAnonymous(ip);
      return DONE;
    }
    if (clientId !== undefined && clientId !== grant.clientId) throw wrongClient();
    await db.tx((tx) => revokeGrant(tx, { grantId: grant.id, by: "token_revoked", ip, now }));
    return DONE;
  },
};

/** Refuses a token of another client, without revoking it (section 2.1). An agent has no client_id. */
function wrongClient() {
  return invalidClient("The token was not issued to this client_id.");
}

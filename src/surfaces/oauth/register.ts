import { scopeText } from "../../domain/credentials/scopes.ts";
import { addressKey } from "../../domain/limits/address-key.ts";
import { consumeLimitIn } from "../../domain/limits/window.ts";
import { type Client, clientMethods, clientName, clientScopes, registerClient } from "../../domain/oauth/clients.ts";
import { REDIRECTS, redirectUrisIn } from "../../domain/oauth/redirects.ts";
import { OAuthError } from "../../platform/errors/oauth-errors.ts";
import type { Scope } from "../../platform/principal.ts";
import type { Endpoint, OAuthRequest } from "./endpoint.ts";

/** Dynamic client registration (RFC 7591), for public clients only. Other metadata is ignored. */
export const register: Endpoint = {
  method: "POST",
  body: "json",
  errors: "flat",
  async run({ db }, { ip, json, now }) {
    const redirectUris = usableRedirectUris(json);
    refuseOtherMethods(json);
    const name = nameIn(json);
    const scopes = scopesIn(json);
    const client = await db.tx(async (tx) => {
      await consumeLimitIn(tx, addressKey(ip), "client_registrations", now);
      return registerClient(tx, { name, redirectUris, scopes, now });
    });
    return { status: 201, body: registered(client, now) };
  },
};

type Metadata = OAuthRequest["json"];

function usableRedirectUris(json: Metadata): readonly string[] {
  const redirectUris = redirectUrisIn(json.redirect_uris);
  if (redirectUris.length > 0 && redirectUris.length <= REDIRECTS.most) return redirectUris;
  throw new OAuthError(
    "invalid_redirect_uri",
    `redirect_uris must be a list with 1 to ${REDIRECTS.most} addresses that can be used: https, http on localhost or 127.0.0.1, or a scheme of the app's own, each without a fragment or user name and with at most ${REDIRECTS.length} characters.`,
  );
}

/**
 * All clients are public. A client that asks for a secret, by name or by leaving the method out, gets `none`, as RFC
 * 7591 section 3.2.1 allows. A client that would prove itself by a key is refused, because nobody checks its proofs.
 */
const METHODS: readonly unknown[] = ["none", "client_secret_post", "client_secret_basic"];

function refuseOtherMethods(json: Metadata): void {
  if (clientMethods(json).some((method) => METHODS.includes(method))) return;
  const message = "token_endpoint_auth_method must be none, or another that is offered: all clients are public here.";
  throw new OAuthError("invalid_client_metadata", message);
}

function nameIn(json: Metadata): string {
  const name = json.client_name ?? "";
  if (typeof name === "string") return clientName(name);
  throw new OAuthError("invalid_client_metadata", "client_name must be a string.");
}

/** The scopes that a client may request at most. Unknown scopes are ignored (RFC 6749 section 3.3). */
function scopesIn(json: Metadata): readonly Scope[] {
  const scope = json.scope ?? "";
  if (typeof scope === "string") return clientScopes(scope);
  throw new OAuthError("invalid_client_metadata", "scope must be a string.");
}

/** All registered metadata (section 3.2.1), even where the client requested something else. */
function registered({ id, name, redirectUris, scopes }: Client, now: number) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: scopeText(scopes),
  };
}

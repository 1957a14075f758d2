import * as oauth from "oauth4webapi";
import type { User } from "../website/user.ts";
import { consent } from "./consent.ts";

/** Allows http: the test service has no TLS. */
export const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

/** Client authentication of agents, which have no client_id. */
export const NO_CLIENT: oauth.ClientAuth = () => undefined;

const REDIRECT = "http://127.0.0.1:7777/callback";

/** What an app requests, and what its user unticks on the consent page. */
export interface AuthorizationOptions {
  readonly scope?: string;
  readonly resource?: string;
  readonly untick?: readonly string[];
}

/** An app whose every step is checked against the specifications by oauth4webapi. */
export class StrictApp {
  readonly as: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  /** Redirect URI. */
  readonly redirect: string;

  private constructor(as: oauth.AuthorizationServer, client: oauth.Client, redirect: string) {
    this.as = as;
    this.client = client;
    this.redirect = redirect;
  }

  /** Discovers the authorization server and registers with it. */
  static async of(issuer: URL, redirect = REDIRECT, name = "Strict app"): Promise<StrictApp> {
    const as = await discover(issuer);
    const response = await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: "none" },
      INSECURE,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(response);
    return new StrictApp(as, client as oauth.Client, redirect);
  }

  /** Builds an authorization request, with the verifier and the state that the app has to keep. */
  async request({ scope, resource }: AuthorizationOptions = {}) {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(this.as.authorization_endpoint!);
    const parameters = {
      response_type: "code",
      client_id: this.client.client_id,
      redirect_uri: this.redirect,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource }),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return { address, verifier, state };
  }

  /** Signs a user in and exchanges the code for tokens. */
  async signIn(user: User, options: AuthorizationOptions = {}): Promise<oauth.TokenEndpointResponse> {
    const { address, verifier, state } = await this.request(options);
    const answer = await consent(user, address, options.untick ? { untick: options.untick } : {});
    return this.exchange(oauth.validateAuthResponse(this.as, this.client, answer, state), verifier, options);
  }

  async exchange(answer: URLSearchParams, verifier: string, { resource }: AuthorizationOptions = {}) {
    const { as, client } = this;
    const more = resource === undefined ? {} : { additionalParameters: { resource } };
    const requestOptions = { ...INSECURE, ...more };
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      answer,
      this.redirect,
      verifier,
      requestOptions,
    );
    return oauth.processAuthorizationCodeResponse(as, client, response);
  }

  async refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
    const { as, client } = this;
    const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, INSECURE);
    return oauth.processRefreshTokenResponse(as, client, response);
  }

  async revoke(token: string): Promise<void> {
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(this.as, this.client, oauth.None(), token, INSECURE),
    );
  }
}

export async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...INSECURE });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Requests tokens with an extension grant type. @throws oauth.ResponseBodyError */
export async function tokensFor(
  as: oauth.AuthorizationServer,
  grantType: string,
  parameters: Record<string, string>,
): Promise<oauth.TokenEndpointResponse> {
  const nobody = { client_id: "nobody" };
  const response = await oauth.genericTokenEndpointRequest(as, nobody, NO_CLIENT, grantType, parameters, INSECURE);
  return oauth.processGenericTokenEndpointResponse(as, nobody, response);
}

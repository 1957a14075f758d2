import * as oauth from "oauth4webapi";
import type { User } from "../website/user.ts";
import { consent } from "./consent.ts";

/** The tests' service has no TLS. */
export const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

/** Whoever needs no client_id: agents. */
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
  /** Where it wants the user back. */
  readonly redirect: string;

  private constructor(as: oauth.AuthorizationServer, client: oauth.Client, redirect: string) {
    this.as = as;
    this.client = client;
    this.redirect = redirect;
  }

  /** Finds the authorization server and registers there. */
  static async of(issuer: URL, redirect = REDIRECT): Promise<StrictApp> {
    const as = await discover(issuer);
    const response = await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: "Strict app", redirect_uris: [redirect], token_endpoint_auth_method: "none" },
      INSECURE,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(response);
    return new StrictApp(as, client as oauth.Client, redirect);
  }

  /** Where the app sends the user, and what it has to remember. */
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

/** A grant type of which only the answer is ordinary. @throws oauth.ResponseBodyError */
export async function tokensFor(
  as: oauth.AuthorizationServer,
  grantType: string,
  parameters: Record<string, string>,
): Promise<oauth.TokenEndpointResponse> {
  const nobody = { client_id: "nobody" };
  const response = await oauth.genericTokenEndpointRequest(as, nobody, NO_CLIENT, grantType, parameters, INSECURE);
  return oauth.processGenericTokenEndpointResponse(as, nobody, response);
}

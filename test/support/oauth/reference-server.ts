import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface ReferenceServer {
  readonly url: string;
  /** Sends an authorization request as a user who allows everything. @returns the redirect to the app */
  authorize(query: URLSearchParams): Promise<URL>;
  close(): Promise<void>;
}

/** oidc-provider as an authorization server for public clients with PKCE, its endpoints at the paths of ours. */
export async function referenceServer(): Promise<ReferenceServer> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, CONFIGURATION);
  const callback = provider.callback();
  server.on("request", async (req, res) => {
    if (!req.url!.startsWith("/interaction")) return callback(req, res);
    const { params } = await provider.interactionDetails(req, res);
    const grant = new provider.Grant({ accountId: "ada", clientId: params.client_id! });
    grant.addOIDCScope(params.scope!);
    const grantId = await grant.save();
    await provider.interactionFinished(req, res, { login: { accountId: "ada" }, consent: { grantId } });
  });
  return {
    url,
    async authorize(query) {
      const cookies = new Map<string, string>();
      let at = new URL(`${url}/oauth/authorize?${query}`);
      while (at.origin === url) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          cookies.set(name!, value!);
        }
        const location = response.headers.get("location");
        if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
        at = new URL(location, at);
      }
      return at;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

const CONFIGURATION = {
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: { enabled: true },
    userinfo: { enabled: false },
  },
  routes: {
    authorization: "/oauth/authorize",
    registration: "/oauth/register",
    revocation: "/oauth/revoke",
    token: "/oauth/token",
  },
  interactions: { url: () => "/interaction" },
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  scopes: ["read", "index", "purchase"],
  responseTypes: ["code"],
  clientAuthMethods: ["none"],
  clientDefaults: { token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"] },
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  cookies: { keys: ["a key of the tests"] },
  ttl: {
    AccessToken: 3_600,
    AuthorizationCode: 60,
    RefreshToken: 2_592_000,
    Grant: 2_592_000,
    Session: 60,
    Interaction: 60,
  },
};

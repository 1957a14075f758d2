import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { afterAll } from "vitest";

/** A person of the issuer, as it describes them. */
export interface IssuerPerson {
  email: string;
  email_verified: boolean;
}

export interface RealIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By subject; the name of a person is what they type at the issuer. */
  readonly people: Map<string, IssuerPerson>;
  /** Begins to serve a client, whose address is known only now. */
  serve(redirectUri: string): void;
}

/** oidc-provider as an issuer, with a page to sign in on. Listens until the tests of the file have ended. */
export async function realIssuer(): Promise<RealIssuer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ["beckon", "a secret of the tests"];
  const people = new Map<string, IssuerPerson>();
  const serve = (redirectUri: string) => {
    const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] };
    const provider = new Provider(url, {
      ...CONFIGURATION,
      clients: [{ ...client, post_logout_redirect_uris: [new URL(redirectUri).origin] }],
      findAccount: (_: unknown, accountId: string) =>
        people.has(accountId) ? { accountId, claims: () => ({ sub: accountId, ...people.get(accountId) }) } : undefined,
    });
    const callback = provider.callback();
    server.on("request", (req, res) => {
      if (req.url!.startsWith("/interaction")) void interact(provider, people, req, res);
      else callback(req, res);
    });
  };
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, clientId, clientSecret, people, serve };
}

/** Asks who it is, and whether they prove it again; consents by itself. */
async function interact(
  provider: Provider,
  people: RealIssuer["people"],
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { params, prompt, session, grantId: held } = await provider.interactionDetails(req, res);
  if (prompt.name === "consent") {
    const grant = held
      ? (await provider.Grant.find(held))!
      : new provider.Grant({ accountId: session!.accountId, clientId: params.client_id! });
    grant.addOIDCScope(params.scope!);
    return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } }, KEEPING);
  }
  let body = "";
  for await (const part of req) body += part;
  const form = new URLSearchParams(body);
  const accountId = form.get("person") ?? "";
  if (form.has("cancel")) return provider.interactionFinished(req, res, { error: "access_denied" }, KEEPING);
  if (people.has(accountId)) return provider.interactionFinished(req, res, { login: { accountId } }, KEEPING);
  res.setHeader("content-type", "text/html");
  res.end(
    `<!doctype html><title>Issuer</title><form method="post"><label>Person <input name="person"></label><button>Enter</button><button name="cancel">Cancel</button></form>`,
  );
}

const KEEPING = { mergeWithLastSubmission: true };

const CONFIGURATION = {
  features: { devInteractions: { enabled: false } },
  claims: { openid: ["sub"], email: ["email", "email_verified"], auth_time: null },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  cookies: { keys: ["a key of the tests"] },
  pkce: { required: () => true },
  ttl: { AccessToken: 3_600, AuthorizationCode: 60, IdToken: 3_600, Grant: 3_600, Session: 3_600, Interaction: 600 },
};

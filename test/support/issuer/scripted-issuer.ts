import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll } from "vitest";

/** What the issuer answers to one request; undefined: what an honest issuer answers. */
type Reply =
  | { readonly status?: number; readonly type?: string; readonly body: unknown }
  | "nothing"
  | "hang"
  | undefined;

/** An issuer of OpenID Connect that says whatever a test wants it to say. */
export interface ScriptedIssuer {
  readonly url: string;
  /** Claims of the next ID tokens, over the honest ones; undefined takes a claim away. */
  claims: Record<string, unknown>;
  /** Claims of the person at the userinfo endpoint. */
  userinfo: Record<string, unknown>;
  /** Members of its configuration, over the honest ones. */
  metadata: Record<string, unknown>;
  /** Header of the next ID tokens, over the honest one. */
  header: Record<string, unknown>;
  /** What it answers at a path, in place of the honest answer. */
  replies: Record<string, Reply>;
  /** What it says is the time; undefined: its machine's. */
  date: Date | undefined;
  /** The parameters with which browsers came, by the code that each goes back with. */
  readonly departures: Map<string, URLSearchParams>;
  /** Paths that it was asked for, in order. */
  readonly asked: string[];
  /** Form of the last request for a token. */
  lastToken: { readonly form: URLSearchParams; readonly authorization: string | undefined } | undefined;
  /** Answers from now on as the person whom the claims describe. @returns the query with which the browser is sent back */
  authorize(address: URL | string, more?: Record<string, string | null>): string;
  /** Signs with a new key, and publishes no other. */
  rotate(): Promise<void>;
}

/** Listens until the tests of the file have ended. @param now the issuer's clock, in ms */
export async function scriptedIssuer(now: () => number): Promise<ScriptedIssuer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hanging = new Set<ServerResponse>();
  let key = await newKey();
  const issuer: ScriptedIssuer = {
    url,
    claims: {},
    userinfo: {},
    metadata: {},
    header: {},
    replies: {},
    date: undefined,
    departures: new Map(),
    asked: [],
    lastToken: undefined,
    authorize(address, more = {}) {
      const sent = new URL(address).searchParams;
      const code = `code-${issuer.departures.size}`;
      issuer.departures.set(code, sent);
      const answer = new URLSearchParams({ code, state: sent.get("state")!, iss: url });
      for (const [name, value] of Object.entries(more)) value === null ? answer.delete(name) : answer.set(name, value);
      return answer.toString();
    },
    async rotate() {
      key = await newKey();
    },
  };
  const used = new Set<string>();

  const idToken = async (sent: URLSearchParams): Promise<string> => {
    const seconds = Math.floor(now() / 1000);
    const honest = { iss: url, sub: "ada", aud: sent.get("client_id")!, nonce: sent.get("nonce"), auth_time: seconds };
    const claims = { ...honest, iat: seconds, exp: seconds + 300, ...issuer.claims };
    const header = { alg: "RS256", kid: key.kid, ...issuer.header };
    if (header.alg === "none") return `${encoded(header)}.${encoded(claims)}.`;
    const secret =
      header.alg === "HS256" ? new TextEncoder().encode("a secret of the tests, long enough") : key.privateKey;
    return new SignJWT(claims).setProtectedHeader(header).sign(secret);
  };
  const honest: Record<string, (form: URLSearchParams) => Promise<Reply>> = {
    "/.well-known/openid-configuration": async () => ({
      body: {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        end_session_endpoint: `${url}/end`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
        ...issuer.metadata,
      },
    }),
    "/jwks": async () => ({ body: { keys: [key.published] } }),
    "/userinfo": async () => ({ body: { sub: "ada", ...issuer.userinfo } }),
    "/token": async (form) => {
      const sent = issuer.departures.get(form.get("code") ?? "");
      const isFresh = sent !== undefined && !used.has(form.get("code")!);
      used.add(form.get("code") ?? "");
      if (!isFresh) return { status: 400, body: { error: "invalid_grant", error_description: "<b>used</b>" } };
      return { body: { access_token: "at", token_type: "Bearer", id_token: await idToken(sent) } };
    },
  };

  server.on("request", async (req, res) => {
    const path = new URL(req.url!, url).pathname;
    issuer.asked.push(path);
    let body = "";
    for await (const part of req) body += part;
    const form = new URLSearchParams(body);
    if (path === "/token") issuer.lastToken = { form, authorization: req.headers.authorization };
    const reply = issuer.replies[path] ?? (await honest[path]?.(form)) ?? { status: 404, body: {} };
    if (reply === "hang") return void hanging.add(res);
    if (reply === "nothing") return void res.destroy();
    if (issuer.date) res.setHeader("date", issuer.date.toUTCString());
    res.writeHead(reply.status ?? 200, { "content-type": reply.type ?? "application/json" });
    res.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  afterAll(() => {
    for (const res of hanging) res.destroy();
    server.closeAllConnections();
    server.close();
  });
  return issuer;
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, kid, published: { ...jwk, kid, alg: "RS256", use: "sig" } };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

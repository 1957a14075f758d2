import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BeckonError } from "../error.ts";
import type { Login } from "./store.ts";

type OAuthLogin = Extract<Login, { kind: "oauth" }>;

interface Metadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint: string;
}

export interface SignInOptions {
  readonly origin: string;
  readonly scope: string;
  readonly signal: AbortSignal;
  /** Shows the address to open. */
  show(address: string): void;
}

const text = () => randomBytes(32).toString("base64url");

/**
 * Signs a user in through the browser: OAuth 2.1 with PKCE and a callback on this machine (RFC 8252).
 * @throws BeckonError where the user declines, or the service takes no sign-in
 */
export async function signIn({ origin, scope, signal, show }: SignInOptions): Promise<OAuthLogin> {
  const metadata = await metadataOf(origin);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const registration = {
      client_name: "Beckon command line",
      redirect_uris: [redirect],
      token_endpoint_auth_method: "none",
    };
    const { client_id: clientId } = await post(metadata.registration_endpoint, JSON.stringify(registration));
    const [verifier, state] = [text(), text()];
    const address = new URL(metadata.authorization_endpoint);
    const parameters = {
      response_type: "code",
      client_id: clientId!,
      redirect_uri: redirect,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      scope,
      state,
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    show(address.href);
    const answer = await callback(server, state, signal);
    if (answer.get("iss") !== null && answer.get("iss") !== metadata.issuer)
      throw new BeckonError("unauthorized", "The answer came from another service. Nothing was stored.");
    const code = answer.get("code");
    if (code === null) throw new BeckonError("unauthorized", declined(answer.get("error")));
    const form = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
    return await tokens(metadata.token_endpoint, clientId!, form);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** New tokens for those that have ended. @throws BeckonError unauthorized where the user has to sign in again */
export async function refreshed(origin: string, { clientId, refresh }: OAuthLogin): Promise<OAuthLogin> {
  const { token_endpoint } = await metadataOf(origin);
  return tokens(token_endpoint, clientId, { grant_type: "refresh_token", refresh_token: refresh });
}

/** Opens an address in the user's browser, if there is one. */
export function openBrowser(address: string): void {
  const [program, ...args] = { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] }[
    process.platform as string
  ] ?? ["xdg-open"];
  spawn(program!, [...args, address], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

/** @throws BeckonError not_beckon; a document that leads to another service is not used */
async function metadataOf(origin: string): Promise<Metadata> {
  const address = `${origin}/.well-known/oauth-authorization-server`;
  const response = await asked(address, { redirect: "error" });
  const metadata = (await response.json().catch(() => ({}))) as Metadata;
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const isOwn = [authorization_endpoint, token_endpoint, registration_endpoint].every(
    (one) => typeof one === "string" && one.startsWith(`${origin}/`),
  );
  if (issuer === origin && isOwn) return metadata;
  throw new BeckonError("not_beckon", `${origin} is not a Beckon service, or its SITE_URL is another address.`);
}

async function tokens(endpoint: string, clientId: string, form: Record<string, string>): Promise<OAuthLogin> {
  const answer = await post(endpoint, new URLSearchParams({ ...form, client_id: clientId }));
  const { access_token: access, refresh_token: refresh, expires_in } = answer;
  return {
    kind: "oauth",
    clientId,
    access: access!,
    refresh: refresh!,
    endsAt: Date.now() + Number(expires_in) * 1_000,
  };
}

async function post(address: string, body: string | URLSearchParams): Promise<Record<string, string>> {
  const headers = {
    Accept: "application/json",
    ...(typeof body === "string" ? { "Content-Type": "application/json" } : {}),
  };
  const response = await asked(address, { method: "POST", headers, body, redirect: "error" });
  const answer = (await response.json().catch(() => ({}))) as Record<string, string>;
  if (response.ok) return answer;
  if (answer.error === "invalid_grant")
    throw new BeckonError("unauthorized", "The sign-in has ended. Run: beckon login", { status: response.status });
  const details = { status: response.status };
  throw new BeckonError("unavailable", answer.error_description ?? `${address} answered ${response.status}.`, details);
}

async function asked(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, signal: AbortSignal.timeout(30_000) });
  } catch (cause) {
    throw new BeckonError("no_answer", `No answer from ${new URL(address).origin}.`, { cause });
  }
}

/** Waits for the browser to come back with the state that it was sent away with. */
function callback(
  server: ReturnType<typeof createServer>,
  state: string,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    server.on("request", (req, res) => {
      const { pathname, searchParams } = new URL(req.url!, "http://127.0.0.1");
      const isOurs = pathname === "/callback" && searchParams.get("state") === state;
      const words = isOurs ? "You can close this window and go back to the terminal." : "There is nothing here.";
      res.writeHead(isOurs ? 200 : 404, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
      res.end(words, () => isOurs && resolve(searchParams));
    });
  });
}

function declined(error: string | null): string {
  return error === "access_denied" ? "You have declined. Nothing was stored." : `The sign-in failed: ${error}.`;
}

import { createHash } from "node:crypto";
import type { Engine } from "../../../db/engine.ts";
import type { Audience } from "../../../src/domain/credentials/resources.ts";
import { issueCode } from "../../../src/domain/oauth/codes.ts";
import { SCOPES, type Scope } from "../../../src/platform/principal.ts";
import { ownerOf } from "../database/people.ts";
import { poster, toolCall } from "../mcp/post.ts";
import type { TestService } from "../service/service.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Body of a JSON response; null for others. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly json: any;
}

/** Code verifier and challenge of PKCE. */
export const VERIFIER = "a-verifier.of_43~characters-at-least-0123456";
export const CHALLENGE = s256(VERIFIER);
export const CLIENT = "cli_test";
export const REDIRECT = "http://127.0.0.1:7777/callback";

export interface ConsentOptions {
  readonly accountId: string;
  readonly scopes?: readonly Scope[];
  readonly audience?: Audience;
  readonly clientId?: string;
  readonly challenge?: string;
}

/** Issues an authorization code as a user's consent does, without the page. */
export function codeFor(
  db: Engine,
  now: number,
  { accountId, scopes = SCOPES, audience = "", clientId = CLIENT, challenge = CHALLENGE }: ConsentOptions,
): Promise<string> {
  const app = { clientId, clientName: "Test app", redirectUri: REDIRECT, challenge };
  return db.tx(async (tx) => {
    const personId = await ownerOf(tx, accountId);
    return issueCode(tx, { ...app, accountId, personId, scopes, audience, now });
  });
}

type Fields = Readonly<Record<string, string | undefined>>;

/** An app that calls the OAuth endpoints for machines. */
export function appOf({ url, db, clock, account }: TestService) {
  /** Posts a form; a string is sent as it is. */
  const post = async (path: string, body: Fields | string, headers: Record<string, string> = {}): Promise<Answer> => {
    const fields = Object.entries(typeof body === "string" ? {} : body).filter(([, value]) => value !== undefined);
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: typeof body === "string" ? body : new URLSearchParams(fields as [string, string][]).toString(),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
  };
  const exchange = (code: string, changes: Fields = {}, headers?: Record<string, string>) =>
    post(
      "/oauth/token",
      {
        grant_type: "authorization_code",
        code,
        redirect_uri: REDIRECT,
        client_id: CLIENT,
        code_verifier: VERIFIER,
        ...changes,
      },
      headers,
    );
  return {
    post,
    exchange,
    refresh: (token: string, changes: Fields = {}) =>
      post("/oauth/token", { grant_type: "refresh_token", refresh_token: token, ...changes }),
    revoke: (token: string, changes: Fields = {}) => post("/oauth/revoke", { token, ...changes }),
    code: (allowed: ConsentOptions) => codeFor(db, clock.now(), allowed),
    /** Connects the app to a new, paid account. */
    async connected(allowed: Omit<ConsentOptions, "accountId"> = {}, changes: Fields = {}) {
      const { id: accountId } = await account();
      const code = await codeFor(db, clock.now(), { accountId, ...allowed });
      const { json } = await exchange(code, changes);
      return { accountId, code, access: json.access_token as string, refresh: json.refresh_token as string };
    },
    /** Calls each surface with the token. @returns the HTTP statuses */
    async statuses(token: string): Promise<{ rest: number; mcp: number }> {
      const rest = await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } });
      const mcp = await poster(url)(toolCall("get_account"), { key: token });
      await rest.text();
      return { rest: rest.status, mcp: mcp.status };
    },
  };
}

export function s256(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

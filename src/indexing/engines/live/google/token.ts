import { SignJWT } from "jose";
import { HOUR, MINUTE, SECOND } from "../../../../platform/clock.ts";
import { SingleFlight } from "../../../../platform/concurrency.ts";
import type { ProviderSettings } from "../../../../platform/config/config.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, failureOf, jsonOf, notArrived } from "../api.ts";
import { readServiceAccount, type ServiceAccount } from "./account.ts";

/** Access tokens of the service account, one for each scope. */
export interface Tokens {
  /**
   * A token that is valid for at least another minute.
   * @param provider the provider that a failure names
   * @throws UpstreamFailure with `mayHaveArrived` false, because the call that needed the token was not made
   */
  of(provider: string, scope: string): Promise<string>;
  /** Drops a token that Google has refused. */
  forget(scope: string, token: string): void;
}

const cache = new WeakMap<ProviderSettings, Tokens>();

/**
 * The tokens of the configured service account. All its adapters share them. @throws Error naming
 * GOOGLE_SERVICE_ACCOUNT
 */
export function tokensOf(api: Api): Tokens {
  const { settings } = api;
  const tokens = cache.get(settings) ?? tokensFor(api, readServiceAccount(settings.GOOGLE_SERVICE_ACCOUNT ?? ""));
  cache.set(settings, tokens);
  return tokens;
}

interface Token {
  readonly text: string;
  /** Real ms. */
  readonly until: number;
}

function tokensFor(api: Api, account: ServiceAccount): Tokens {
  const cached = new Map<string, Token>();
  const fetches = new SingleFlight<Token>();
  async function renew(provider: string, scope: string): Promise<Token> {
    const token = await fetchToken(api, account, provider, scope).catch(notArrived);
    cached.set(scope, token);
    return token;
  }
  return {
    async of(provider, scope) {
      const token = cached.get(scope);
      if (token && token.until - MINUTE > api.clock.now()) return token.text;
      return (await fetches.run(scope, () => renew(provider, scope))).text;
    },
    forget(scope, text) {
      if (cached.get(scope)?.text === text) cached.delete(scope);
    },
  };
}

/**
 * Exchanges a signed assertion for a token (RFC 7523 section 2.1; developers.google.com/identity/protocols/oauth2).
 */
async function fetchToken(api: Api, account: ServiceAccount, provider: string, scope: string): Promise<Token> {
  const now = api.clock.now();
  const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  const body = new URLSearchParams({ grant_type: grant, assertion: await assertion(account, scope, now) }).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await ask(api, provider, { method: "POST", url: account.tokenUri, headers, body });
  // 400 invalid_grant: Google refuses the account, its key or our clock. Every other call would fail too.
  if (answer.status === 400) throw new UpstreamFailure(provider, "unauthorized");
  if (answer.status !== 200) throw failureOf(api, provider, answer);
  const { access_token: text, expires_in: seconds } = (jsonOf(provider, answer) ?? {}) as Record<string, unknown>;
  if (typeof text !== "string" || text === "") throw new UpstreamFailure(provider, "bad_answer");
  return { text, until: now + (typeof seconds === "number" ? seconds * SECOND : HOUR) };
}

function assertion({ clientEmail, key, keyId, tokenUri }: ServiceAccount, scope: string, now: number): Promise<string> {
  const seconds = Math.floor(now / SECOND);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + HOUR / SECOND)
    .sign(key);
}

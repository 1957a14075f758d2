import type { Engine } from "../../db/engine.ts";
import { identify, type PresentedCredentials } from "../domain/credentials/identify.ts";
import { missingScope, principalOfSession, type SignedIn } from "../domain/credentials/may-act.ts";
import type { Resource } from "../domain/credentials/resources.ts";
import type { Clock } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { siteUrlFor } from "../platform/config/local.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { type Principal, SCOPES, type Scope } from "../platform/principal.ts";
import { addToRequest } from "../platform/request-context.ts";
import { type AnyOperation, scopesOf } from "./operation.ts";
import { type Counted, RequestCounts, withHeaders } from "./request-counts.ts";

/** A request that was admitted: who makes it, and what was counted. */
export interface Admission extends Counted {
  /** Null where no credential was sent. */
  readonly principal: Principal | null;
}

/** An admitted request whose sender is known. */
export interface KnownAdmission extends Admission {
  readonly principal: Principal;
}

export interface Caller extends PresentedCredentials {
  /** The client's IP address, as trusted proxies report it. */
  readonly ip: string;
  /** The protected resource of the surface, e.g. `/mcp`: where a 401 sends the client. */
  readonly resource: Resource;
  /** The path and query by which the resource was called, where clients tell several addresses of it apart. */
  readonly calledAs?: string | undefined;
  /** The Host header: a sandbox has two names. */
  readonly host?: string | undefined;
}

/**
 * The first half of the pipeline (docs/rules.md rule 10): identify → rate limit → scope. It needs only the headers, so that
 * the caller is known before the body is read.
 */
export class RequestGuard {
  readonly #counts: RequestCounts;
  readonly #db: Engine;
  readonly #clock: Clock;
  readonly #config: Config;

  constructor(db: Engine, clock: Clock, config: Config) {
    this.#db = db;
    this.#clock = clock;
    this.#config = config;
    this.#counts = new RequestCounts(db);
  }

  /** Counts the request and says who makes it. @throws Refusal invalid_request, unauthorized, rate_limited */
  async admit(caller: Caller): Promise<Admission> {
    const now = this.#clock.now();
    const principal = await this.#identify(caller, now);
    if (!principal) return { principal, headers: this.countAnonymous(caller.ip), requestsToday: 0 };
    addToRequest({ account: principal.accountId });
    this.#counts.recordUse(principal, now);
    const { headers, requestsToday } = await this.#counts.take(principal, now);
    return { principal, headers, requestsToday };
  }

  /**
   * Counts a call of somebody who is signed in at the website, in the same way as a call with a credential.
   * @throws Refusal rate_limited
   */
  async admitSession(session: SignedIn): Promise<KnownAdmission> {
    const principal = principalOfSession(session);
    const { headers, requestsToday } = await this.#counts.take(principal, this.#clock.now());
    return { principal, headers, requestsToday };
  }

  /** Counts one request without a valid credential. @returns its RateLimit headers @throws Refusal rate_limited */
  countAnonymous(ip: string): Record<string, string> {
    return this.#counts.takeAnonymous(ip, this.#clock.now());
  }

  /** Counts one page or document of the website. @throws Refusal rate_limited */
  countPage(ip: string): void {
    this.#counts.takePage(ip, this.#clock.now());
  }

  /** Counts one request of a credential that is not in the headers, such as a refresh token. @throws Refusal rate_limited */
  countRequest(credentialId: string): void {
    this.#counts.takeOf(credentialId, this.#clock.now());
  }

  /**
   * Writes the counts in memory whose time has come, and reads the counts of other processes. To be called every second.
   * @throws DatabaseUnavailable; the counts are then written by the next flush
   */
  flushDue(): Promise<void> {
    return this.#counts.flushDue(() => this.#clock.now());
  }

  /** Writes all counts kept in memory; to be called when a process stops. @throws DatabaseUnavailable */
  flush(): Promise<void> {
    return this.#counts.flush(() => this.#clock.now());
  }

  /** Whether the caller may use the operation. @throws Refusal unauthorized, insufficient_scope */
  authorize(operation: AnyOperation, admission: Admission, caller: Caller): void {
    const { access } = operation;
    if (access.kind === "public") return;
    if (!admission.principal && access.kind === "scope" && access.anonymous) return;
    this.requireScopes(scopesOf(access), operation.name, admission, caller);
  }

  /**
   * The principal of a request that needs a credential with these scopes.
   * @param what needs them, as the refusal names it
   * @throws Refusal unauthorized, insufficient_scope
   */
  requireScopes(scopes: readonly Scope[], what: string, admission: Admission, caller: Caller): Principal {
    const principal = this.requireCredential(admission, caller);
    const missing = missingScope(principal, scopes);
    if (missing === undefined) return principal;
    const refusal = new Refusal(
      "insufficient_scope",
      `${what} needs the scope \`${missing}\`, which this credential lacks.`,
      { required_scope: missing },
      { "WWW-Authenticate": `error="insufficient_scope", scope="${scopes.join(" ")}"` },
    );
    throw withHeaders(this.#challenge(refusal, caller), admission.headers);
  }

  /** The principal of a request that needs a credential of any scope. @throws Refusal unauthorized */
  requireCredential({ principal, headers }: Admission, caller: Caller): Principal {
    if (principal) return principal;
    throw withHeaders(this.#challenge(noCredential(this.#config.siteUrl), caller), headers);
  }

  /**
   * The error to answer a failed call with. It gets the challenge of the surface, also where the credential ended during the
   * call, or lacks a scope for what the call turned out to be about.
   */
  withChallenge(thrown: unknown, caller: Caller): unknown {
    if (!(thrown instanceof Refusal) || thrown.headers["WWW-Authenticate"] !== undefined) return thrown;
    const lacksScope = thrown.code === "insufficient_scope";
    if (thrown.status !== 401 && !lacksScope) return thrown;
    const detail = lacksScope ? `insufficient_scope", scope="${thrown.fields.required_scope}` : "invalid_token";
    return this.#challenge(withHeaders(thrown, { "WWW-Authenticate": `error="${detail}"` }), caller);
  }

  /** A request with an invalid credential counts against its IP address, and is answered 429 over that limit. */
  async #identify(caller: Caller, now: number): Promise<Principal | null> {
    try {
      return await identify(this.#db, caller, { resource: caller.resource, now });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const refusal = withHeaders(thrown, this.countAnonymous(caller.ip));
      throw thrown.code === "unauthorized" ? this.#challenge(refusal, caller) : refusal;
    }
  }

  /**
   * Adds to the challenge of RFC 6750 section 3 the metadata URL of RFC 9728, which leads to the authorization server, and
   * to a 401 the scopes to ask for: all of them, since MCP clients register with what it names, and then cannot get more.
   */
  #challenge(refusal: Refusal, { resource, calledAs = resource, host }: Caller): Refusal {
    const metadata = `${siteUrlFor(this.#config, host)}/.well-known/oauth-protected-resource${quotable(calledAs)}`;
    const detail = refusal.headers["WWW-Authenticate"];
    const scope = refusal.code === "unauthorized" ? `scope="${SCOPES.join(" ")}", ` : "";
    const challenge = `Bearer realm="beckon", ${detail ? `${detail}, ` : ""}${scope}resource_metadata="${metadata}"`;
    return withHeaders(refusal, { "WWW-Authenticate": challenge });
  }
}

/** A text for a quoted string of a header (RFC 9110 section 5.6.4). */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}

function noCredential(siteUrl: string): Refusal {
  const ways = `Create an API key at ${siteUrl}/dashboard/keys, sign in by OAuth, or register as an agent: ${siteUrl}/auth.md`;
  const message = `A credential is needed: \`Authorization: Bearer <token>\` or \`X-API-Key: <key>\`. ${ways} says how.`;
  return new Refusal("unauthorized", message);
}

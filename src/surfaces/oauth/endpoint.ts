import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Log } from "../http-server/log.ts";

/** What an endpoint of the authorization server is given beside the request. */
export interface OAuthServices extends Services {
  readonly guard: RequestGuard;
  readonly log: Log;
}

/** A machine's request, decoded. */
export interface OAuthRequest {
  /** The client's address, after trusted proxies. */
  readonly ip: string;
  readonly now: number;
  /** Of a form: each parameter once. Of JSON: see `json`. */
  readonly form: Form;
  /** Of a JSON endpoint: the object that was sent. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Parameters of a form, each at most once, empty ones as if they were not there (RFC 6749 section 3.2). */
export type Form = ReadonlyMap<string, string>;

export interface OAuthResponse {
  readonly status: number;
  /** Sent as JSON; null sends nothing. */
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint; each stands in a file of its own. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** What a POST must be. */
  readonly body?: "form" | "json";
  /** `flat`: RFC 6749 section 5.2; `object`: the envelope of the REST API (docs/rules.md rule 13). */
  readonly errors: "flat" | "object";
  /** @throws OAuthError, Refusal */
  run(services: OAuthServices, request: OAuthRequest): Promise<OAuthResponse>;
}

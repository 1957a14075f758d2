import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Mailer } from "../../domain/mail/mailer.ts";
import type { Log } from "../http-server/log.ts";

/** The services that the endpoints of the authorization server need. SITE_URL in the settings is the origin as it was called. */
export interface OAuthServices extends Services {
  readonly guard: RequestGuard;
  readonly log: Log;
  readonly mailer: Mailer;
}

/** A decoded request. */
export interface OAuthRequest {
  /** The client's address, after trusted proxies. */
  readonly ip: string;
  readonly now: number;
  /** The query as it was sent, with its question mark; "" without one. */
  readonly query: string;
  /** The parameters of a form; empty for other requests. */
  readonly form: Form;
  /** The object sent to a JSON endpoint; empty for other requests. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The parameters of a form by name; empty ones are treated as omitted (RFC 6749 section 3.2). */
export type Form = ReadonlyMap<string, string>;

export interface OAuthResponse {
  readonly status: number;
  /** Sent as JSON; null sends nothing. */
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint of the authorization server; each has its own file. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** The media type that a POST must have. */
  readonly body?: "form" | "json";
  /** `flat`: RFC 6749 section 5.2; `object`: the envelope of the REST API (docs/rules.md rule 13). */
  readonly errors: "flat" | "object";
  /** @throws OAuthError, Refusal */
  run(services: OAuthServices, request: OAuthRequest): Promise<OAuthResponse>;
}

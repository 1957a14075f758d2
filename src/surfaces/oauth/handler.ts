import type { IncomingMessage, ServerResponse } from "node:http";
import { siteUrlFor } from "../../platform/config/local.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { type ErrorCode, errorEnvelope, Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { OAuthError, type OAuthErrorCode, oauthErrorBody } from "../../platform/errors/oauth-errors.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf } from "../http-server/caller.ts";
import { answerPreflight, CORS } from "../http-server/cors.ts";
import { refuseUnlessJson, withJson } from "../http-server/json-body.ts";
import { sendResponse } from "../http-server/send-response.ts";
import type { Endpoint, Form, OAuthResponse, OAuthServices } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { parseForm, refuseUnlessForm } from "./form.ts";
import { parseObject } from "./json.ts";

/** Largest body of a request to the authorization server, in bytes. */
const MAX_BODY = 32 * 1024;

const NO_FORM: Form = new Map();

/** Whether a path is one of the endpoints. */
export function isOAuthPath(path: string): boolean {
  return ENDPOINTS.has(path);
}

/** Handles the endpoints of the authorization server. It reads neither credentials nor cookies. */
export function oauthHandler(shared: OAuthServices): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const services = calledBy(shared, req.headers.host);
    const endpoint = ENDPOINTS.get(req.url!.split("?")[0]!)!;
    const methods = endpoint.method === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"];
    if (req.method === "OPTIONS") return answerPreflight(res, methods);
    try {
      if (!methods.includes(req.method!)) throw wrongMethod(methods);
      send(req, res, await answer(services, endpoint, req, res));
    } catch (thrown) {
      send(req, res, failed(services, endpoint, thrown, req));
    }
  };
}

/** The services with the origin by which the client called, with which it compares addresses to the letter. */
function calledBy(services: OAuthServices, host: string | undefined): OAuthServices {
  const siteUrl = siteUrlFor(services.config, host);
  return siteUrl === services.config.siteUrl ? services : { ...services, config: { ...services.config, siteUrl } };
}

async function answer(
  services: OAuthServices,
  endpoint: Endpoint,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<OAuthResponse> {
  const ip = addressOf(req, services.config.trustProxy);
  const query = /\?.*/.exec(req.url!)?.[0] ?? "";
  const request = { ip, now: services.clock.now(), query, form: NO_FORM, json: {} };
  if (endpoint.method === "GET") {
    services.guard.countPage(ip);
    return endpoint.run(services, request);
  }
  try {
    if (endpoint.body === "json") {
      refuseUnlessJson(req);
      return await withJson(req, res, { max: MAX_BODY }, async (document) =>
        endpoint.run(services, { ...request, json: parseObject(document) }),
      );
    }
    refuseUnlessForm(req);
    return await withBody(req, res, { max: MAX_BODY }, async (bytes) =>
      endpoint.run(services, { ...request, form: parseForm(bytes) }),
    );
  } catch (thrown) {
    // A failure counts as a request without a credential, unless the client only has to wait or did not cause it
    // (docs/rules.md rule 11).
    if (!isPending(thrown) && !isUnavailable(thrown)) services.guard.countAnonymous(ip);
    throw thrown;
  }
}

function isPending(thrown: unknown): boolean {
  return thrown instanceof OAuthError && thrown.code === "authorization_pending";
}

function failed(
  { config, log }: OAuthServices,
  endpoint: Endpoint,
  thrown: unknown,
  req: IncomingMessage,
): OAuthResponse {
  if (!(thrown instanceof OAuthError || thrown instanceof Refusal))
    log.error({ err: thrown, path: req.url!.split("?")[0] }, "an endpoint of the authorization server failed");
  if (endpoint.errors === "flat") {
    const error = toOAuthError(thrown);
    return { status: statusOf(thrown, error), body: oauthErrorBody(error, config.siteUrl), headers: error.headers };
  }
  const refusal = toRefusal(thrown);
  return { status: refusal.status, body: errorEnvelope(refusal, config.siteUrl), headers: refusal.headers };
}

/** Any error as an OAuth error. */
function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  const refusal = toRefusal(thrown);
  if (refusal.code === "internal") return new OAuthError("server_error", "Something failed on our side.");
  return new OAuthError(
    OAUTH_CODES[refusal.code] ?? "invalid_request",
    refusal.message.replace(/["\\]/g, "'"),
    refusal.headers,
  );
}

const OAUTH_CODES: Readonly<Partial<Record<ErrorCode, OAuthErrorCode>>> = {
  rate_limited: "rate_limited",
  unavailable: "temporarily_unavailable",
};

/** A refusal keeps its own status (405, 413, 415, 503), for which RFC 6749 has no error codes. */
function statusOf(thrown: unknown, error: OAuthError): number {
  return thrown instanceof Refusal ? thrown.status : error.status;
}

function wrongMethod(methods: readonly string[]): Refusal {
  const allowed = methods.join(", ");
  return new Refusal("method_not_allowed", `This address answers ${allowed}.`, {}, { Allow: allowed });
}

function send(req: IncomingMessage, res: ServerResponse, { status, body, headers }: OAuthResponse): void {
  sendResponse(req, res, {
    status,
    headers: {
      ...CORS,
      // Tokens must not be cached (RFC 6749 section 5.1).
      "Cache-Control": "no-store",
      Pragma: "no-cache",
      ...(body ? { "Content-Type": "application/json; charset=utf-8" } : {}),
      ...headers,
    },
    text: body ? JSON.stringify(body) : "",
  });
}

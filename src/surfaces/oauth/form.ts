import type { IncomingMessage } from "node:http";
import { Refusal } from "../../platform/errors/errors.ts";
import { OAuthError } from "../../platform/errors/oauth-errors.ts";
import { isStorable } from "../../platform/text.ts";
import type { Form } from "./endpoint.ts";

/** @throws Refusal unsupported_media_type; OAuthError invalid_client for client credentials in the headers */
export function refuseUnlessForm({ headers }: IncomingMessage): void {
  if (headers.authorization !== undefined)
    throw invalidClient("All clients are public here: send no Authorization header.");
  const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    const message = "Send the parameters as Content-Type application/x-www-form-urlencoded.";
    throw new Refusal("unsupported_media_type", message);
  }
}

/** @throws OAuthError invalid_client for client credentials in the form (RFC 6749 section 2.3, RFC 7521 section 4.2) */
export function refuseClientSecrets(form: Form): void {
  const name = ["client_secret", "client_assertion", "client_assertion_type"].find((one) => form.has(one));
  if (name !== undefined) throw invalidClient(`All clients are public here: send no ${name}.`);
}

/** A 401 must name an authentication scheme (RFC 9110 section 15.5.2), though none is accepted here. */
export function invalidClient(description: string): OAuthError {
  return new OAuthError("invalid_client", description, { "WWW-Authenticate": 'Basic realm="beckon"' });
}

/**
 * The parameters of a form. `resource` may be sent several times (RFC 8707 section 2), and then is a list with spaces, which no
 * address contains.
 * @throws OAuthError invalid_request for another repeated parameter (RFC 6749 section 3.2), or a value with U+0000
 */
export function parseForm(bytes: Buffer): Form {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString("utf8"))) {
    if (value === "") continue;
    if (!isStorable(value))
      throw new OAuthError("invalid_request", `${printable(name)} has characters that are not allowed.`);
    const before = form.get(name);
    if (before !== undefined && name !== "resource")
      throw new OAuthError("invalid_request", `${printable(name)} was sent more than once.`);
    form.set(name, before === undefined ? value : `${before} ${value}`);
  }
  return form;
}

/** @throws OAuthError invalid_request when it is missing */
export function requiredParameter(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing.`);
  return value;
}

function printable(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : "A parameter";
}

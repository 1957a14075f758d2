import { isIP } from "node:net";
import { Refusal } from "../../platform/errors/errors.ts";
import { addressPolicy } from "../../platform/http-client/address.ts";
import { SPECIAL_NAME } from "../../platform/http-client/dns.ts";
import { hasControl, parseUrl } from "../../platform/text.ts";
import { hasValidLabels } from "../../platform/urls/a-labels.ts";

/**
 * Normalises a host, given by itself or in a URL, to its form in stored URLs (docs/rules.md rule 1): lower case,
 * punycode, no trailing dot. `www.` is kept, and so is a port other than 80 and 443.
 * @throws Refusal invalid_request
 */
export function hostOf(given: string): string {
  const text = given.trim();
  const authority = isUrl(text) ? authorityOf(text) : text.replace(/\/$/, "");
  refuseNonHost(authority);
  const url = parseUrl(`https://${authority}/`);
  if (!url || !hasValidLabels(url.hostname)) throw refuse(NO_HOST);
  const name = url.hostname.replace(/\.$/, "");
  if (!name.startsWith("[")) refuseName(name);
  return url.port === "" || url.port === "80" ? name : `${name}:${url.port}`;
}

/**
 * Refuses a host that is not on the public web, because no search engine reaches it. Networks that FETCH_ALLOW_CIDRS names count as
 * public; a name that only this network can look up may belong to one of them.
 * @param host as `hostOf` returns it
 * @throws Refusal invalid_request
 */
export function refuseNonPublic(host: string, allowed: readonly string[]): void {
  const { hostname } = new URL(`https://${host}/`);
  const policy = addressPolicy(allowed);
  const address = hostname.replace(/^\[|\]$/g, "");
  const isPublic = isIP(address) ? policy.isAllowed(address) : !SPECIAL_NAME.test(hostname) || !policy.isListEmpty;
  if (!isPublic) throw refuse("not a host of the public web, where search engines could reach it");
}

/** Most characters of a host name, and of one label of it (RFC 1035 section 2.3.4). */
const MAX_NAME = 253;
const MAX_LABEL = 63;

const NO_HOST = "not a host name such as www.example.com";

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** The part of a URL between the scheme and the path. */
function authorityOf(url: string): string {
  return /^https?:\/\/([^/?#\\]*)/i.exec(url)![1]!;
}

/** Refuses what the URL parser would silently accept or drop. */
function refuseNonHost(authority: string): void {
  if (authority === "") throw refuse(NO_HOST);
  if (/\s/.test(authority) || hasControl(authority)) throw refuse("a host has no spaces or control characters in it");
  if (/[/?#\\]/.test(authority)) throw refuse("a host has no path; a whole URL begins with http:// or https://");
  if (authority.includes("@")) throw refuse("a host has no user name or password");
  if (authority.includes("*")) throw refuse("no wildcards: each host is verified by itself");
}

function refuseName(name: string): void {
  if (name.length > MAX_NAME) throw refuse(`a host name has at most ${MAX_NAME} characters`);
  for (const label of name.split(".")) {
    if (label.length > MAX_LABEL) throw refuse(`a host name has at most ${MAX_LABEL} characters between two dots`);
    if (!/^[a-z0-9_-]+$/.test(label)) throw refuse(NO_HOST);
  }
}

function refuse(message: string): Refusal {
  return new Refusal("invalid_request", `\`host\`: ${message}. Nothing was changed.`, {
    issues: [{ path: "host", message }],
  });
}

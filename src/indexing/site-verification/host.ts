import { Refusal } from "../../platform/errors/errors.ts";
import { hasControl, parseUrl } from "../../platform/text.ts";

/**
 * The host that a caller names, by itself or in a URL, as it stands in stored URLs (docs/rules.md rule 1): lower case,
 * punycode, no trailing dot. `www.` stays, and so does a port, unless it is 80 or 443.
 * @throws Refusal invalid_request
 */
export function hostOf(given: string): string {
  const text = given.trim();
  const authority = isUrl(text) ? authorityOf(text) : text.replace(/\/$/, "");
  refuseOdd(authority);
  const url = parseUrl(`https://${authority}/`);
  if (!url) throw refuse(NO_HOST);
  const name = url.hostname.replace(/\.$/, "");
  if (!name.startsWith("[")) refuseName(name);
  return url.port === "" || url.port === "80" ? name : `${name}:${url.port}`;
}

/** Most characters of a name, and of what stands between two of its dots (RFC 1035 section 2.3.4). */
const NAME = 253;
const LABEL = 63;

const NO_HOST = "not a host name such as www.example.com";

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** What stands between the scheme and the path. */
function authorityOf(url: string): string {
  return /^https?:\/\/([^/?#\\]*)/i.exec(url)![1]!;
}

/** What the URL parser would take without a word, or drop. */
function refuseOdd(authority: string): void {
  if (authority === "") throw refuse(NO_HOST);
  if (/\s/.test(authority) || hasControl(authority)) throw refuse("a host has no spaces or control characters in it");
  if (/[/?#\\]/.test(authority)) throw refuse("a host has no path; a whole URL begins with http:// or https://");
  if (authority.includes("@")) throw refuse("a host has no user name or password");
  if (authority.includes("*")) throw refuse("no wildcards: each host is verified by itself");
}

function refuseName(name: string): void {
  if (name.length > NAME) throw refuse(`a host name has at most ${NAME} characters`);
  for (const label of name.split(".")) {
    if (label.length > LABEL) throw refuse(`a host name has at most ${LABEL} characters between two dots`);
    if (!/^[a-z0-9_-]+$/.test(label)) throw refuse(NO_HOST);
  }
}

function refuse(message: string): Refusal {
  return new Refusal("invalid_request", `\`host\`: ${message}. Nothing was changed.`, {
    issues: [{ path: "host", message }],
  });
}

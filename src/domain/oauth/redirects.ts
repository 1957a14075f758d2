import { parseUrl } from "../../platform/text.ts";

/** Most redirect URIs of an app, and most characters of one. */
export const REDIRECTS = { most: 10, length: 2_048 } as const;

/**
 * Whether an app may register a redirect URI (RFC 8252 section 7): https anywhere, http on the loopback interface, or a
 * private-use scheme. A text that URL parsers would repair or read differently is refused.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > REDIRECTS.length || !URI.test(text)) return false;
  const url = parseUrl(text);
  if (!url || hasUserInfo(text) || RESPONSE_PARAMETERS.some((name) => url.searchParams.has(name))) return false;
  if (url.protocol === "https:") return /^https:\/\/[^/?]/i.test(text) && HOST.test(url.hostname);
  return url.protocol === "http:" ? isLoopbackRedirect(text) : isAppRedirect(text);
}

/** The redirect URIs in a client's list that may be registered. The others are left out, which its registration answers. */
export function redirectUrisIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string" && isRedirectUri(one)) : [];
}

/**
 * Whether a redirect URI is registered: an equal string (RFC 9700 section 2.1), except that a loopback redirect may have
 * any port (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true;
  if (!isLoopbackRedirect(requested) || !isRedirectUri(requested)) return false;
  return registered.some((one) => isLoopbackRedirect(one) && withoutPort(one) === withoutPort(requested));
}

/** Whether a redirect leads to the user's own machine, where any program may receive it. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri);
}

/** Where a redirect leads, as shown to the user: the host and port, or the scheme of an app. */
export function redirectLabel(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return isWeb(protocol) ? host : protocol;
}

/** A redirect URI with parameters appended to its query. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`;
}

/** Parameters of the authorization response, so a redirect URI must not contain them (RFC 6749 section 3.1). */
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error", "error_description", "error_uri"] as const;

/** A URI of RFC 3986 without a fragment, its scheme in lower case. */
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-fA-F]{2})*$/;

/** Browsers accept more characters in a host, which users could not read. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:[/?]|$)/;

/**
 * Whether a URI leads to an app by a scheme of its own. It refuses URIs that would hand the authorization code on to another
 * program: schemes of browsers and of operating systems, and a URI that holds a web address to be opened.
 */
function isAppRedirect(text: string): boolean {
  const [, scheme, rest] = /^([^:]+):(.*)$/s.exec(text) as unknown as [string, string, string];
  const words = scheme.split(/[+.-]/);
  const isForeign = FORBIDDEN_SCHEMES.has(scheme) || HANDS_ON.test(scheme) || words.some((word) => BROWSERS.has(word));
  return !isForeign && !/https?(?::|%3a)/i.test(rest);
}

/**
 * Schemes that pass what follows to a browser or to the system: `x-safari-https`, `googlechromes`, `touch-http`, all schemes
 * that Microsoft, Apple and Android reserve, and the schemes that web sites and extensions may claim (`web+`, `ext+`).
 */
const HANDS_ON =
  /http|browser|chrom(?:e|ium)|firefox|safari|webkit|mozilla|^(?:ms-|web\+|ext\+|x-apple|android-|intent$|view-)/;

/** Names of browsers, as whole words of a scheme: `microsoft-edge`, `brave`. */
const BROWSERS: ReadonlySet<string> = new Set(
  "arc brave ddgquicklink dolphin duckduckgo edge iexplore maxthon opera tor ucweb vivaldi".split(" "),
);

/** Schemes of browsers and operating systems: they run scripts, open files or start unrelated programs. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set(
  `about acap afp afs applescript blob brave callto cid content data devtools
  dict dns facetime facetime-audio feed file filesystem ftp ftps geo git go gopher hcp help imap
  irc ircs itms itms-services jar javascript jdbc ldap ldaps livescript mailto market mhtml mid mk mms mocha
  moz-extension news nfs nntp pop prefs proxy res resource rlogin rtsp
  search search-ms sftp shell shortcuts sip sips skype smb sms smsto snmp ssh steam svn tel telnet tftp tn3270 urn
  vbscript vnc wais webcal ws wss wyciwyg xmpp`.split(/\s+/),
);

function isWeb(protocol: string): boolean {
  return protocol === "https:" || protocol === "http:";
}

/** Whether a text has user information, even an empty one, which a URL parser would drop. */
function hasUserInfo(text: string): boolean {
  return /^[^/?]*\/\/[^/?]*@/.test(text);
}

function withoutPort(loopback: string): string {
  return loopback.replace(/^(http:\/\/[a-z\d.]+):\d+/, "$1");
}

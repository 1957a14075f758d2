import { parseUrl } from "../../platform/text.ts";

/** Most redirect addresses of an app, and most characters of one. */
export const REDIRECTS = { most: 10, length: 2_048 } as const;

/**
 * Whether an app may be answered at an address (RFC 8252 section 7): https anywhere, http on this very machine,
 * or a scheme of the app's own. What a URL parser would repair, drop or read in two ways is no such address.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > REDIRECTS.length || !URI.test(text)) return false;
  const url = parseUrl(text);
  if (!url || hasUser(text) || ANSWERS.some((name) => url.searchParams.has(name))) return false;
  if (url.protocol === "https:") return /^https:\/\/[^/?]/i.test(text) && HOST.test(url.hostname);
  return url.protocol === "http:" ? isLoopbackRedirect(text) : !FOREIGN.has(url.protocol.slice(0, -1));
}

/** Whether a list of them may be registered. */
export function areRedirectUris(value: unknown): value is readonly string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= REDIRECTS.most;
  return isList && value.every((one) => typeof one === "string" && isRedirectUri(one));
}

/**
 * Whether an address is one of those registered: the same string (RFC 9700 section 2.1), but that a program on this
 * machine takes the port that is free (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  if (!isLoopbackRedirect(asked) || !isRedirectUri(asked)) return false;
  return registered.some((one) => isLoopbackRedirect(one) && withoutPort(one) === withoutPort(asked));
}

/** Whether a redirect ends at a program on the user's own machine, and any program may be that. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri);
}

/** Where a user is sent back to, to be read by them: a host with its port, or the scheme of an app. */
export function redirectLabel(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return isWeb(protocol) ? host : protocol;
}

/** The redirect as a source of `form-action`; nothing in it can end the directive. */
export function formActionOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  // A source has no form for an IPv6 address (w3.org/TR/CSP3, host-source).
  return isWeb(protocol) && !host.startsWith("[") ? `${protocol}//${host}` : protocol;
}

/** An address with parameters added behind those that it has. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`;
}

/** What an answer says of itself, which no address may say before it (RFC 6749 section 3.1: once each). */
const ANSWERS = ["code", "state", "iss", "error", "error_description", "error_uri"] as const;

/** The characters of RFC 3986, the scheme in its canonical case, without those that begin a fragment; controls and quotes are none of them. */
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-fA-F]{2})*$/;

/** What browsers take for a host is more, and a `;` or `*` of it would mean something in a policy. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:[/?]|$)/;

/** Schemes of browsers and systems: they run what follows, open files, or start programs that nobody meant. */
const FOREIGN: ReadonlySet<string> = new Set(
  `about acap afp afs applescript blob brave callto cid chrome chrome-extension chrome-search chrome-untrusted content data devtools
  dict dns edge facetime facetime-audio feed file filesystem firefox ftp ftps geo git go gopher hcp help http https imap intent
  irc ircs itms itms-services jar javascript jdbc ldap ldaps livescript mailto market mhtml mid mk mms mocha
  moz-extension ms-appinstaller ms-cxh ms-excel ms-help ms-its ms-msdt ms-officecmd ms-powerpoint ms-search
  ms-settings ms-word news nfs nntp opera pop prefs proxy res resource rlogin rtsp safari-extension
  search search-ms sftp shell shortcuts sip sips skype smb sms smsto snmp ssh steam svn tel telnet tftp tn3270 urn
  vbscript view-source vnc wais webcal ws wss wyciwyg x-apple-helpbasic x-apple.systempreferences xmpp`.split(/\s+/),
);

function isWeb(protocol: string): boolean {
  return protocol === "https:" || protocol === "http:";
}

/** Also an empty one, which a parser drops. */
function hasUser(text: string): boolean {
  return /^[^/?]*\/\/[^/?]*@/.test(text);
}

function withoutPort(loopback: string): string {
  return loopback.replace(/^(http:\/\/[a-z\d.]+):\d+/, "$1");
}

import { normaliseUrl } from "../urls/urls.ts";

/** White space, and marks that nobody sees: a byte order mark, zero-width spaces, marks of the direction of writing. */
const UNSEEN = "[\\s\\p{Default_Ignorable_Code_Point}]";
const AT_START = new RegExp(`^${UNSEEN}+`, "u");
const AT_END = new RegExp(`${UNSEEN}+$`, "u");

/** A text without what is unseen at its ends. */
export function trimmed(text: string): string {
  const plain = text.trim();
  if (!isOdd(plain.charCodeAt(0)) && !isOdd(plain.charCodeAt(plain.length - 1))) return plain;
  const from = AT_START.exec(plain)?.[0].length ?? 0;
  let to = plain.length;
  // In short pieces, since the expression would look from every beginning of a long run.
  for (let odd = 1; to > from && odd > 0; to -= odd)
    odd = AT_END.exec(plain.slice(Math.max(from, to - 64), to))?.[0].length ?? 0;
  return plain.slice(from, to);
}

function isOdd(code: number): boolean {
  return code > 0x7f;
}

/** Whether a text begins as a URL does. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Endings of files, which a name without a path would be, and not a host. */
const FILE = /\.(html?|php|aspx?|jsp|xml|txt|csv|tsv|pdf|jpe?g|png|gif|svg|js|css|json|gz|zip)$/i;

const WITHOUT_SCHEME = /^(?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}\.?)(?::\d+)?([/?#]\S*)?$/u;

/** What was probably meant by an address without a scheme, such as `www.example.com/a`; null for any other text. */
export function withHttps(text: string): string | null {
  const [, host, rest] = WITHOUT_SCHEME.exec(text) ?? [];
  if (host === undefined || (rest === undefined && FILE.test(host) && !/^www\./i.test(host))) return null;
  const url = `https://${text.replace(/^\/\//, "")}`;
  return normaliseUrl(url) === null || privateHost(url) !== null ? null : url;
}

const PRIVATE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/;
/** Blocks of IPv4 that are not global (iana.org/assignments/iana-ipv4-special-registry). */
const PRIVATE_IPV4 =
  /^(0|10|127|22[4-9]|2[3-5]\d)\.|^169\.254\.|^192\.168\.|^192\.0\.[02]\.|^198\.(1[89]|51\.100)\.|^203\.0\.113\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;

/** Why no search engine reaches the host of a URL; null: it may. @param url that `normaliseUrl` accepts */
export function privateHost(url: string): "private_host" | "bare_host" | null {
  const plain = /^https?:\/\/((?:[a-z\d-]+\.)+[a-z]+)(?=[/?#]|$)/.exec(url)?.[1];
  const host = plain ?? new URL(url).hostname.replace(/\.$/, "");
  if (host.startsWith("[")) return /^\[[23]/.test(host) ? null : "private_host";
  if (PRIVATE_NAMES.test(host) || (/^[\d.]+$/.test(host) && PRIVATE_IPV4.test(host))) return "private_host";
  return host.includes(".") ? null : "bare_host";
}

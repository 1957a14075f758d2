import { normaliseUrl } from "./urls.ts";

/**
 * Parameters that follow a visitor and never choose a page. They belong to campaigns, advertisers and analytics, or
 * come from Google's own results (`srsltid`).
 */
const TRACKING = /^(?:utm_\w*|gclid|fbclid|msclkid|yclid|mc_eid|_ga|srsltid)(?:=|$)/i;

/**
 * Whether two URLs are the same page in search results. Looser than the key of duplicates (docs/rules.md rule 1), since
 * Google chooses under which URL it shows a page: scheme, `www.`, one trailing slash,
 * fragment, tracking parameters and the order of the query do not count. Another path or another query is another page.
 */
export function isSamePage(one: string, other: string): boolean {
  const page = pageKey(one);
  return page !== null && page === pageKey(other);
}

/** How many of the links lead to the page. */
export function countMatches(url: string, links: readonly string[]): number {
  const page = pageKey(url);
  return page === null ? 0 : links.filter((link) => pageKey(link) === page).length;
}

/** The address as it is searched for: in its stored form, without tracking parameters. Null when it is none. */
export function partsOf(url: string): AddressParts | null {
  const stored = normaliseUrl(url);
  if (stored === null) return null;
  const [, scheme, www, host, path, query] = PARTS.exec(stored) as unknown as Parts;
  const parameters = query.split("&").filter((parameter) => parameter !== "" && !TRACKING.test(parameter));
  return { scheme, www, host, path, parameters };
}

export interface AddressParts {
  /** With its colon and slashes. */
  readonly scheme: string;
  /** `www.` or nothing. */
  readonly www: string;
  /** Without `www.`; with a port where it is not the scheme's own. */
  readonly host: string;
  /** Begins with a slash. */
  readonly path: string;
  /** In their order, without tracking parameters. */
  readonly parameters: readonly string[];
}

/**
 * The parts of a stored form; a part that it does not have is empty. `www.` counts as such only before a host that could do
 * without it: not in `www.com`.
 */
const PARTS = /^(https?:\/\/)((?:www\.(?=[^/]*\.[^/]))?)([^/]*)(\/[^?]*)\??(.*)/;
type Parts = readonly [whole: string, scheme: string, www: string, host: string, path: string, query: string];

/** A key that is equal for all URLs of one page. */
function pageKey(url: string): string | null {
  const parts = partsOf(url);
  if (parts === null) return null;
  const { host, path, parameters } = parts;
  return `${host}${withoutSlash(path)}?${parameters.toSorted().join("&")}`;
}

export function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

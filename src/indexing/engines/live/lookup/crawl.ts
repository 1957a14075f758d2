import type { Crawl } from "../../../../domain/projects/facts.ts";
import { plausibleCrawl } from "../crawl-time.ts";

/** Most referring pages that are kept, and the most characters of an address. */
const MAX_REFERRING = 5;
const MAX_LENGTH = 200;

/** A time as Google writes it (RFC 3339, in UTC or with an offset). */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * What URL Inspection says of Google's last crawl of a page
 * (https://developers.google.com/webmaster-tools/v1/urlInspection.index/UrlInspectionResult). Null where it says nothing.
 * @param status `inspectionResult.indexStatusResult`
 * @param now service time of the answer
 */
export function crawlOf(url: string, status: Readonly<Record<string, unknown>>, now: number): Crawl | null {
  const { lastCrawlTime: time, crawledAs, pageFetchState, robotsTxtState, indexingState, coverageState } = status;
  // 1970 stands for no time.
  const at = (typeof time === "string" && TIME.test(time) ? Date.parse(time) : 0) || null;
  const { crawledAt, doubtful } = at === null ? { crawledAt: null } : plausibleCrawl(at, now);
  // An address that is unknown to Google has no entry in the index, which does not say that it was never fetched.
  const isNever = at === null && /^discovered\b/i.test(String(coverageState));
  const shared = {
    ...named("as", word(crawledAs)),
    ...named("status", word(pageFetchState)),
    ...named("robots", word(robotsTxtState), "allowed"),
    ...named("indexing", word(indexingState), "indexing_allowed"),
    ...(isNever ? { never: true as const } : {}),
    ...(doubtful ? { doubtful } : {}),
  };
  const own = ownOf(url, status);
  if (crawledAt === null && own === null && Object.keys(shared).length === 0) return null;
  return { crawledAt, shared, own };
}

function named<Name extends string>(name: Name, value: string | null, plain?: string): { [N in Name]?: string } {
  return value === null || value === plain ? {} : ({ [name]: value } as { [N in Name]?: string });
}

/** A word of the API in lower case. The one that says nothing is left out, and so is what is no word of it. */
function word(value: unknown): string | null {
  if (typeof value !== "string" || !/^[A-Z][A-Z0-9_]{1,39}$/.test(value) || value.endsWith("_UNSPECIFIED")) return null;
  return value.toLowerCase();
}

function ownOf(url: string, status: Readonly<Record<string, unknown>>): Crawl["own"] {
  const { host } = new URL(url);
  const sitemaps = addressesIn(status.sitemap);
  const pages = addressesIn(status.referringUrls).filter((page) => !sitemaps.includes(page));
  const isAnyKnown = Array.isArray(status.referringUrls) || sitemaps.length > 0;
  const own = {
    ...(isAnyKnown
      ? { referring: [...new Set(pages.map((page) => shown(page, host, "origin")))].slice(0, MAX_REFERRING) }
      : {}),
    ...(isAnyKnown ? { onlySitemap: sitemaps.length > 0 && pages.length === 0 } : {}),
    ...(sitemaps.length === 0 && pages.length > 0 ? { noSitemap: true as const } : {}),
    ...canonical("userCanonical", status.userCanonical, host),
    ...canonical("googleCanonical", status.googleCanonical, host),
  };
  return Object.keys(own).length === 0 ? null : own;
}

function canonical<Name extends string>(name: Name, value: unknown, host: string): { [N in Name]?: string } {
  const [address] = addressesIn([value]);
  return address === undefined ? {} : ({ [name]: shown(address, host, "host") } as { [N in Name]?: string });
}

/** Addresses of the web among the values, in normal form, without the part after `#`. */
function addressesIn(values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  const found: string[] = [];
  for (const value of values) {
    if (typeof value !== "string" || !URL.canParse(value)) continue;
    const address = new URL(value);
    address.hash = "";
    if (/^https?:$/.test(address.protocol) && address.username === "" && address.href.length <= MAX_LENGTH)
      found.push(address.href);
  }
  return found;
}

/** An address of this host as it is; of another host nothing that its owner could write a text in. */
function shown(address: string, host: string, ofOthers: "origin" | "host"): string {
  const other = new URL(address);
  if (other.host === host) return address;
  return ofOthers === "host" ? other.host : `${other.origin}/`;
}

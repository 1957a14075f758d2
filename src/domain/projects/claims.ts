/** What the product says about how Google works, with where it stands. Nothing else says anything of the kind. */
interface Claim {
  /** One sentence. */
  readonly says: string;
  /** `documented`: Google says so itself. `observed`: somebody has counted it, and says of what. */
  readonly basis: "documented" | "observed";
  readonly source: string;
  /** The day on which the source, or a copy of it, was last read; of a copy that has a date, that date. */
  readonly date: string;
}

const REPORT = "https://support.google.com/webmasters/answer/7440203";
const CRAWLING = "https://developers.google.com/search/docs/crawling-indexing";
const STATUS_CODES = "https://developers.google.com/crawling/docs/troubleshooting/http-status-codes";
const HOW_SEARCH_WORKS = "https://developers.google.com/search/docs/fundamentals/how-search-works";

function documented(date: string, source: string, says: string): Claim {
  return { says, basis: "documented", source, date };
}

function observed(date: string, source: string, says: string): Claim {
  return { says, basis: "observed", source, date };
}

export const CLAIMS = {
  declined: documented(
    "2026-10-10",
    REPORT,
    "Google may or may not index a page later that it has crawled; sending it again is not needed.",
  ),
  dropped: observed(
    "2026-10-01",
    "https://indexcheckr.com/resources/google-indexing",
    "Google dropped 21 % of 310,705 pages that their owners had watched.",
  ),
  recrawl: documented(
    "2026-10-01",
    `${CRAWLING}/ask-google-to-recrawl`,
    "Google can be asked to crawl a page that has changed, which takes from a few days to a few weeks.",
  ),
  postponed: documented(
    "2026-10-10",
    REPORT,
    "Google typically puts a crawl off that it expects to overload the site, and then has no last crawl of the page.",
  ),
  unknown: documented(
    "2025-01-27",
    "https://support.google.com/webmasters/answer/9012289",
    "An address that is unknown to Google is one that it has not seen before.",
  ),
  forgotten: observed(
    "2025-01-27",
    "https://indexinginsight.substack.com/p/what-is-url-is-unknown-to-google",
    "Pages that Google had crawled and indexed were unknown to it later, since it forgets pages over time.",
  ),
  unlisted: documented(
    "2026-09-14",
    HOW_SEARCH_WORKS,
    "Google finds new pages by links from pages that it knows, and by sitemaps.",
  ),
  guarantee: documented("2026-09-14", HOW_SEARCH_WORKS, "Google does not guarantee to crawl or to index a page."),
  searched: documented(
    "2026-11-27",
    "https://developers.google.com/search/docs/monitor-debug/search-operators/all-search-site",
    "A search of Google does not always show every page that is in its index.",
  ),
  noindex: documented(
    "2026-09-14",
    `${CRAWLING}/block-indexing`,
    "Google drops a page with noindex when it next crawls it, and must be allowed to crawl it to see the rule.",
  ),
  robots: documented(
    "2026-09-14",
    `${CRAWLING}/robots/intro`,
    "Google crawls and indexes no content that robots.txt disallows; the address alone can still be indexed.",
  ),
  status: documented(
    "2026-08-28",
    STATUS_CODES,
    "Google does not index pages that answer with a status of 4xx other than 429, and drops those that it had.",
  ),
  slower: documented(
    "2026-08-28",
    STATUS_CODES,
    "Google crawls a site more slowly while it answers with 5xx or 429, and in time drops pages that keep doing so.",
  ),
  empty: documented(
    "2025-12-18",
    `${CRAWLING}/troubleshoot-crawling-errors`,
    "Google leaves out pages that answer 200 and are empty or look like an error.",
  ),
  redirects: documented(
    "2026-08-28",
    STATUS_CODES,
    "Google ignores the content of a page that redirects, and reads its target in its place.",
  ),
  hops: documented("2026-08-28", STATUS_CODES, "Google follows up to 10 redirects, one after the other."),
  canonical: documented(
    "2026-09-14",
    `${CRAWLING}/canonicalization`,
    "Google indexes one of several pages with the same content, its canonical, and takes what pages name as a hint.",
  ),
  removal: documented(
    "2026-09-20",
    "https://support.google.com/webmasters/answer/9689846",
    "Google hides a page for about six months after a removal in Search Console.",
  ),
  links: documented(
    "2026-09-29",
    `${CRAWLING}/links-crawlable`,
    "Google finds pages by links, and generally follows only anchors with an href.",
  ),
  stale: observed(
    "2026-10-01",
    "https://indexinginsight.com/blog/the-130-day-indexing-rule",
    "Of 1.4 million pages of 18 sites, 99 % of those that Google had not crawled for 130 days were not indexed.",
  ),
  lookups: documented(
    "2026-08-13",
    "https://developers.google.com/webmaster-tools/limits",
    "Google allows 2,000 lookups a day for each property.",
  ),
  quotas: documented(
    "2021-11-09",
    "https://developers.google.com/terms",
    "Google forbids to get around the limits of its interfaces.",
  ),
  unverified: documented(
    "2026-09-17",
    "https://support.google.com/cloud/answer/7454865",
    "Google shows a warning before the consent to an app that it has not verified, and lets in 100 people in all.",
  ),
} as const satisfies Readonly<Record<string, Claim>>;

export type ClaimName = keyof typeof CLAIMS;

/** The claim that a name stands for. */
export function claim(name: ClaimName): Claim {
  return CLAIMS[name];
}

/** What the product says about how Google works, with where it stands. Nothing else says anything of the kind. */
interface Claim {
  /** One sentence. */
  readonly says: string;
  /** `documented`: Google says so itself. `observed`: somebody has counted it, and says of what. */
  readonly basis: "documented" | "observed";
  readonly source: string;
  /** The day on which the source was last looked at. */
  readonly date: string;
}

const REPORT = "https://support.google.com/webmasters/answer/7440203";
const CRAWLING = "https://developers.google.com/search/docs/crawling-indexing";
const DATE = "2026-11-27";

function documented(source: string, says: string): Claim {
  return { says, basis: "documented", source, date: DATE };
}

export const CLAIMS = {
  declined: documented(
    REPORT,
    "Google may or may not index a page later that it has crawled; sending it again is not needed.",
  ),
  postponed: documented(
    REPORT,
    "Google typically puts a crawl off that it expects to overload the site, and then has no last crawl of the page.",
  ),
  unlisted: documented(REPORT, "Google finds most new pages by links from pages that it knows, or by sitemaps."),
  searched: documented(
    "https://developers.google.com/search/docs/monitor-debug/search-operators/all-search-site",
    "A search of Google does not always show every page that is in its index.",
  ),
  noindex: documented(
    `${CRAWLING}/block-indexing`,
    "Google drops a page with noindex when it next crawls it, and must be allowed to crawl it to see the rule.",
  ),
  robots: documented(
    `${CRAWLING}/robots/intro`,
    "Googlebot does not fetch what robots.txt disallows, so Google cannot see the page.",
  ),
  status: documented(
    `${CRAWLING}/http-network-errors`,
    "Google does not index pages that answer with a status of 4xx, and takes those out that it had.",
  ),
  slower: documented(
    `${CRAWLING}/http-network-errors`,
    "Google crawls a site more slowly while it answers with 5xx or 429, and in time drops pages that keep doing so.",
  ),
  empty: documented(
    `${CRAWLING}/soft-404-errors`,
    "Google takes a page for missing that answers 200 and looks empty or like an error.",
  ),
  redirects: documented(
    `${CRAWLING}/301-redirects`,
    "Google indexes the target of a redirect in place of the page that redirects.",
  ),
  canonical: documented(
    `${CRAWLING}/consolidate-duplicate-urls`,
    "Google indexes one of several pages with the same content, its canonical, and takes what pages name as a hint.",
  ),
  removal: documented(
    "https://support.google.com/webmasters/answer/9689846",
    "Google hides a page for about six months after a removal in Search Console.",
  ),
  links: documented(`${CRAWLING}/links-crawlable`, "Google follows links of the form <a href> to find pages."),
  stale: {
    says: "Of pages that Google had not crawled for 130 days, 99 % were not indexed.",
    basis: "observed",
    source: "https://requestindexing.com/",
    date: "2026-11-26",
  },
} as const satisfies Readonly<Record<string, Claim>>;

export type ClaimName = keyof typeof CLAIMS;

/** The claim that a name stands for. */
export function claim(name: ClaimName): Claim {
  return CLAIMS[name];
}

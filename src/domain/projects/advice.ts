import { DAY, iso } from "../../platform/clock.ts";
import { type ClaimName, claim } from "./claims.ts";
import { type Crawl, type LinkFact, newestCrawls } from "./facts.ts";
import { LINK_ERRORS, type LinkError, NOT_INDEXED_REASONS, type NotIndexedReason } from "./reasons.ts";

/** What a reason means and what one can do about it. */
export interface Advice {
  /** What the evidence says of the page. */
  readonly meaning: string;
  /** What usually causes it. */
  readonly cause: string;
  /** One thing to do now. */
  readonly nextStep: string;
  /** Who can change it: `you`, `time` or `nobody`. */
  readonly who: "you" | "time" | "nobody";
  /** Whether the cause is documented, by Google or for Beckon's own by its documents, or somebody has counted it. */
  readonly basis: "documented" | "observed";
  /** The document that the cause rests on; a path is one of this service. */
  readonly docs: string;
}

/** What to do, who can, and the claim about Google that gives the cause; or a cause that is not about Google. */
interface Row {
  readonly meaning?: string;
  readonly because: ClaimName | { readonly cause: string };
  readonly next: string;
  readonly who: Advice["who"];
}

const nothing = "Nothing: the credits came back.";

const ROWS: Readonly<Record<NotIndexedReason | LinkError, Row>> = {
  no_match: {
    because: "searched",
    next: "Connect the site to Search Console, so that the next check says why.",
    who: "you",
  },
  dropped: {
    because: "dropped",
    next: "Compare the page with how it was when it was found, and submit it again if it has changed for the better.",
    who: "you",
  },
  crawled_not_indexed: {
    because: "declined",
    next: "Make the page say what no other page of yours says, and link to it from pages that are indexed.",
    who: "you",
  },
  discovered_not_indexed: {
    because: "postponed",
    next: "Link to the page from pages that are indexed, and see that the host answers quickly.",
    who: "you",
  },
  unknown_to_google: {
    meaning: `${claim("unknown").says} ${claim("forgotten").says}`,
    because: "unlisted",
    next: "Put the page into the sitemap, and link to it from pages that are indexed.",
    who: "you",
  },
  noindex: {
    because: "noindex",
    next: "Take the noindex out, if the page should be found, and submit it again.",
    who: "you",
  },
  http_401: { because: "status", next: "Let the page be read without a sign-in, and submit it again.", who: "you" },
  http_403: {
    because: "status",
    next: "Let the firewall of the host pass Googlebot, and submit the page again.",
    who: "you",
  },
  http_404: {
    because: "status",
    next: "Bring the page back, or redirect the address to the one that replaces it.",
    who: "you",
  },
  http_410: {
    because: "status",
    next: "Bring the page back, or redirect the address to the one that replaces it.",
    who: "you",
  },
  http_4xx: { because: "status", next: "Find out by the log of the server why it refuses the page.", who: "you" },
  soft_404: { because: "empty", next: "Give the page its content, or let it answer 404.", who: "you" },
  robots_disallowed: { because: "robots", next: "Allow the page in robots.txt, and submit it again.", who: "you" },
  redirect: { because: "redirects", next: "Submit the address to which it redirects.", who: "you" },
  redirect_error: {
    because: "hops",
    next: "Let the address lead to its page by one redirect at most.",
    who: "you",
  },
  http_5xx: { because: "slower", next: "Mend the error on the server, and submit the page again.", who: "you" },
  crawl_error: {
    because: "slower",
    next: "See in URL Inspection what was met, and submit the page again when it is mended.",
    who: "you",
  },
  alternate_canonical: {
    because: "canonical",
    next: "Submit the canonical, or let the page name itself as canonical.",
    who: "you",
  },
  duplicate: {
    because: "canonical",
    next: "Make the page differ from the other one, or leave it to that one.",
    who: "you",
  },
  removed: { because: "removal", next: "Cancel the removal in Search Console.", who: "you" },
  cancelled: { because: { cause: "Somebody in the account has cancelled it." }, next: nothing, who: "nobody" },
  no_provider: {
    because: { cause: "The operator has configured no provider that takes this address." },
    next: "Verify the host with add_site, since some providers take pages of verified hosts only.",
    who: "you",
  },
  already_indexed: {
    because: { cause: "The project leaves out what is there already." },
    next: "Nothing: it is there.",
    who: "nobody",
  },
  provider_rejected: {
    because: { cause: "Providers refuse addresses that they cannot use." },
    next: "Open the address in a browser, and submit it again if it works.",
    who: "you",
  },
  unverifiable: {
    because: { cause: "No provider gave an answer that could be relied on." },
    next: "Connect the site to Search Console, which answers for its own pages.",
    who: "you",
  },
  host_not_public: {
    because: { cause: "The host has no public address." },
    next: "Submit the public address of the page.",
    who: "you",
  },
};

/** What a link without an error is told. */
const STATES: Readonly<Record<string, Row>> = {
  waiting: {
    meaning: "It was not sent yet.",
    because: { cause: "It is in the queue, or planned for later." },
    next: "Wait.",
    who: "time",
  },
  checking: {
    meaning: "It was sent and is not decided yet.",
    because: { cause: "Its checks are not over." },
    next: "Wait.",
    who: "time",
  },
  indexed: { meaning: "A check found it.", because: { cause: "Nothing is wrong." }, next: "Nothing.", who: "nobody" },
};

/**
 * The advice for a reason of a report.
 * @param reason a code of reasons.ts, or a finding where the evidence gives no reason
 */
export function adviceFor(reason: string): Advice {
  const row = ROWS[reason as LinkError] ?? STATES[reason] ?? ROWS.unverifiable;
  const { because } = row;
  const meaning = row.meaning ?? meaningOf(reason);
  const base = { meaning, nextStep: row.next, who: row.who };
  if (typeof because === "object") return { ...base, cause: because.cause, basis: "documented", docs: "/docs/codes" };
  const { says, basis, source } = claim(because);
  return { ...base, cause: says, basis, docs: source };
}

/** A row about a reason, as of get_coverage, with its advice. */
export function withAdvice<Row extends { readonly reason: string }>(row: Row): Row & Advice {
  return { ...row, ...adviceFor(row.reason) };
}

function meaningOf(reason: string): string {
  const words = NOT_INDEXED_REASONS[reason as NotIndexedReason];
  if (words === undefined) return LINK_ERRORS[reason as LinkError] ?? "No reason is recorded.";
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}

/** Days without a crawl after which a page is seldom indexed. */
const STALE = 130;

/** Reasons with which a fact about the page's own crawls or links can be the cause. */
const OPEN: ReadonlySet<string> = new Set([
  "crawled_not_indexed",
  "discovered_not_indexed",
  "unknown_to_google",
  "no_match",
  "dropped",
]);

/**
 * The advice for a link. What is known of this very page comes before what usually causes its reason.
 * @param now service time
 */
export function adviceForLink(
  reason: string,
  {
    facts,
    warnings,
    now,
  }: { readonly facts: readonly LinkFact[]; readonly warnings: readonly string[]; readonly now: number },
): Advice {
  const advice = adviceFor(reason);
  if (!OPEN.has(reason)) return advice;
  const own = ownCause(facts, warnings, now);
  if (own === null) return advice;
  const { says, basis, source } = claim(own.because);
  return { ...advice, cause: `${own.fact} ${says}`, nextStep: own.next, who: "you", basis, docs: source };
}

function ownCause(facts: readonly LinkFact[], warnings: readonly string[], now: number) {
  const own = facts.findLast(({ source }) => source === "url_inspection")?.own as Crawl["own"] | undefined;
  const changedAt = facts.findLast(({ source }) => source === "preflight")?.time ?? null;
  const { google: crawledAt } = newestCrawls(facts);
  const isSlow = warnings.some((word) => ["http_429", "http_5xx", "timeout"].includes(word));
  if (isSlow)
    return {
      fact: "The host did not answer us in time, or with an error.",
      because: "slower" as const,
      next: "See that the host answers quickly and without errors.",
    };
  if (own?.onlySitemap)
    return {
      fact: "Nothing but the sitemap leads to this page.",
      because: "links" as const,
      next: "Link to the page from the text of a page that is indexed.",
    };
  if (crawledAt === null && own?.noSitemap)
    return {
      fact: "Google names no sitemap that lists this page.",
      because: "unlisted" as const,
      next: "Put the page into the sitemap.",
    };
  if (crawledAt !== null && changedAt !== null && crawledAt < changedAt)
    return {
      fact: `The last crawl (${day(crawledAt)}) is older than the page's last change (${day(changedAt)}).`,
      because: "recrawl" as const,
      next: "Submit the page again, so that its new content is fetched.",
    };
  if (crawledAt !== null && now - crawledAt > STALE * DAY)
    return {
      fact: `The last crawl was ${Math.floor((now - crawledAt) / DAY)} days ago.`,
      because: "stale" as const,
      next: "Link to the page from pages that are crawled often, and submit it again.",
    };
  return null;
}

function day(at: number): string {
  return iso(at).slice(0, 10);
}

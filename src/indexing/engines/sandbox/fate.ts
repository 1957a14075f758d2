import type { Crawl } from "../../../domain/projects/facts.ts";
import type { NotIndexedReason } from "../../../domain/projects/reasons.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY, HOUR, MINUTE } from "../../../platform/clock.ts";

/**
 * What happens to a URL in the sandbox. A query parameter chooses the fate
 * (`https://example.com/page?sandbox=never`). Without one, a hash of the URL does.
 */
export const FATES = {
  hour: { share: 30, about: "Google has it 5, 20 or 40 minutes after sending" },
  day_4: { share: 25, about: "Google has it after 6 to 72 hours" },
  day_14: { share: 20, about: "Google has it after 6 to 12 days" },
  never: { share: 4, about: "Google never has it, and no search says why" },
  crawled_not_indexed: { share: 3, about: "Google fetches it after two or three days and does not index it" },
  discovered_not_indexed: { share: 2, about: "Google knows the address from the sitemap alone and does not fetch it" },
  duplicate: { share: 1, about: "Google fetches it, and takes another page of the host as its canonical" },
  soft_404: { share: 1, about: "Google fetches it and takes it for an empty page" },
  unknown_to_google: { share: 1, about: "Google says that it does not know the address" },
  rejected: { share: 3, about: "the provider refuses it when it is sent" },
  late_answer: {
    share: 5,
    about: `no reliable answer until half a day after day ${CHECK_DAYS.final}; then every second page is indexed`,
  },
  silent: { share: 1, about: "never a reliable answer" },
  dropped: { share: 3, about: "Google has it after a day and drops it on day 9" },
  withdrawn: { share: 1, about: "as dropped, because the page itself says noindex" },
  only_sent: { share: 0, about: "Google has it after a day, and never if nobody sends it" },
} as const;

export type Fate = keyof typeof FATES;

const NAMES = Object.keys(FATES) as Fate[];

export function fateOf(url: string): Fate {
  const chosen = /[?&]sandbox=([a-z0-9_]+)/.exec(url)?.[1];
  if (chosen && (NAMES as string[]).includes(chosen)) return chosen as Fate;
  let rest = hash(url) % 100;
  for (const name of NAMES) {
    rest -= FATES[name].share;
    if (rest < 0) return name;
  }
  return "never";
}

/**
 * Whether Google has the URL `elapsed` ms after it was sent. Null if there is no reliable answer. The times are far
 * from the times of the scheduled checks, so that a check some hours late has the same result.
 */
export function isIndexed(url: string, elapsed: number): boolean | null {
  const variant = variantOf(url);
  const fate = fateOf(url);
  switch (fate) {
    case "hour":
    case "day_4":
    case "day_14":
      return elapsed >= indexedAfter(fate, variant);
    case "late_answer":
      return elapsed < (CHECK_DAYS.final + 0.5) * DAY ? null : variant % 2 === 0;
    case "silent":
      return null;
    case "only_sent":
      return elapsed >= DAY;
    case "dropped":
    case "withdrawn":
      return elapsed >= DAY && elapsed < 9 * DAY;
    default:
      return false;
  }
}

/** When Google has a page, in ms after sending. */
function indexedAfter(fate: "hour" | "day_4" | "day_14", variant: number): number {
  if (fate === "hour") return [5, 20, 40][variant % 3]! * MINUTE;
  return fate === "day_4" ? (6 + (variant % 67)) * HOUR : 6 * DAY + (variant % 145) * HOUR;
}

/** Google's own reason for pages that it does not have; null where only a search is simulated, which gives none. */
export function reasonOf(url: string): NotIndexedReason | null {
  const fate = fateOf(url);
  return fate in REASONS ? REASONS[fate as keyof typeof REASONS] : null;
}

const REASONS = {
  crawled_not_indexed: "crawled_not_indexed",
  discovered_not_indexed: "discovered_not_indexed",
  duplicate: "duplicate",
  soft_404: "soft_404",
  unknown_to_google: "unknown_to_google",
} as const satisfies Partial<Record<Fate, NotIndexedReason>>;

/**
 * What Google says of its last crawl, `elapsed` ms after the page was sent: a page is fetched halfway to being indexed. Null
 * where only a search is simulated.
 * @param asOf service time of the answer
 */
export function crawlOf(url: string, elapsed: number, asOf: number): Crawl | null {
  const fate = fateOf(url);
  if (fate === "never" || fate === "silent" || fate === "rejected" || fate === "unknown_to_google") return null;
  const after = crawledAfter(fate, variantOf(url));
  if (elapsed < after) return NEVER_CRAWLED;
  const { origin } = new URL(url);
  const own = fate === "duplicate" ? { userCanonical: url, googleCanonical: `${origin}/` } : null;
  return { crawledAt: asOf - elapsed + after, shared: fate === "soft_404" ? SOFT_404 : SUCCESSFUL, own };
}

const NEVER_CRAWLED: Crawl = { crawledAt: null, shared: { never: true }, own: { referring: [], onlySitemap: true } };
const SUCCESSFUL = { as: "mobile", status: "successful" } as const;
const SOFT_404 = { as: "mobile", status: "soft_404" } as const;

function crawledAfter(fate: Fate, variant: number): number {
  if (fate === "discovered_not_indexed") return Number.POSITIVE_INFINITY;
  if (fate === "hour" || fate === "day_4" || fate === "day_14") return indexedAfter(fate, variant) / 2;
  return fate in REASONS ? (48 + (variant % 24)) * HOUR : DAY / 2;
}

/** A number by which pages of the same fate differ. */
function variantOf(url: string): number {
  return hash(`${url} `);
}

/** FNV-1a, 32 bits (draft-eastlake-fnv). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

import { LINK_CODES } from "../../../contract/shapes/link-codes.ts";
import { OTHER_AGENTS } from "../../../indexing/preflight/access.ts";
import type { TriedPage } from "../../../indexing/preflight/trial.ts";
import { PAGE_WARNINGS } from "../../../indexing/preflight/warnings.ts";

/** What is said of a page, in our words only. A dash stands for what is not known. */
export interface Finding {
  readonly url: string;
  readonly reachable: string;
  readonly robots: string;
  readonly noindex: string;
  readonly others: string;
  readonly google: string | null;
  /** What stands in the way of submitting it, or should be known before; null: nothing. */
  readonly note: string | null;
  /** Whether it could be submitted as it is. */
  readonly isReady: boolean;
}

const UNKNOWN = "–";

/** What a stranger is told of a host that is not ours to reach: not why, as a private host would show that it is there. */
const NOT_REACHED = "The page could not be fetched from here: its host does not answer on the public web.";

type Report = NonNullable<TriedPage["report"]>;
type Code = string;

/** How the page answered, by a refusal or a warning of its report. The first that is there counts. */
const ANSWERS: readonly (readonly [code: Code, answer: string])[] = [
  ["host_not_public", "No"],
  ["unresolved", "No"],
  ["unreachable", "No"],
  ["timeout", "No answer in time"],
  ["not_looked_at", "No answer in time"],
  ["http_404", "Not found (404)"],
  ["http_410", "Gone (410)"],
  ["http_401", "Asks for a sign-in"],
  ["http_403", "Refuses us"],
  ["http_429", "Asks us to slow down"],
  ["http_5xx", "Server error (5xx)"],
  ["redirects", "Redirects"],
  ["robots_disallowed", "Not asked"],
];

/** Answers that say nothing of the host's robots.txt. */
const HOST_IS_SILENT: ReadonlySet<Code> = new Set([
  "host_not_public",
  "unresolved",
  "unreachable",
  "timeout",
  "not_looked_at",
]);

/** Why a page would not be sent, as a sentence. */
const REFUSALS = Object.fromEntries(
  Object.entries(LINK_CODES.failed.codes).map(([code, words]) => [code, `${words}.`]),
);

const NOTES: Readonly<Record<Code, string>> = {
  ...PAGE_WARNINGS,
  ...REFUSALS,
  host_not_public: NOT_REACHED,
  unresolved: NOT_REACHED,
  unreachable: NOT_REACHED,
  http_404: "The page was not found (404 or 410).",
  http_410: "The page is gone (410).",
  not_looked_at: "There was no time to read the page.",
};

const IN_MINUTE = "Pages of this host were read less than a minute ago. Try it again in a minute.";

export function findingOf({ url, report, google }: TriedPage): Finding {
  const inGoogle = google && GOOGLE[google];
  if (!report) {
    const nothing = { reachable: UNKNOWN, robots: UNKNOWN, noindex: UNKNOWN, others: UNKNOWN };
    return { url, ...nothing, google: inGoogle, note: IN_MINUTE, isReady: false };
  }
  const codes: readonly Code[] = [...(report.refusal ? [report.refusal] : []), ...report.warnings];
  const note = codes
    .map((code) => NOTES[code])
    .find((text) => text !== undefined && text !== PAGE_WARNINGS.agents_kept_out);
  const answer = ANSWERS.find(([code]) => codes.includes(code));
  return {
    url,
    reachable: answer?.[1] ?? "Yes",
    robots: robotsOf(codes),
    noindex: noindexOf(report),
    others: othersOf(report),
    google: inGoogle,
    note: note ?? null,
    isReady: report.refusal === null && answer === undefined,
  };
}

const GOOGLE = { indexed: "In Google", not_indexed: "Not in Google", unknown: "Unknown" } as const;

function robotsOf(codes: readonly Code[]): string {
  if (codes.includes("robots_disallowed")) return "Kept out by robots.txt";
  if (codes.includes("robots_unreachable")) return "robots.txt cannot be read";
  return codes.some((code) => HOST_IS_SILENT.has(code)) ? UNKNOWN : "Let in";
}

function noindexOf({ refusal, access }: Report): string {
  if (refusal === "noindex") return "Yes";
  const isRead = refusal === null && access && access.Googlebot === undefined;
  return isRead ? "No" : UNKNOWN;
}

const RULE_NAMES = { robots: "robots.txt", noindex: "noindex", content_signal: "Content-Signal" } as const;
const RULES = Object.keys(RULE_NAMES) as (keyof typeof RULE_NAMES)[];

/** Which crawlers of other searches are kept out, by each rule. */
function othersOf({ access }: Report): string {
  const keptOutBy = (rule: (typeof RULES)[number] | undefined) =>
    OTHER_AGENTS.filter((agent) => access?.[agent] === rule);
  const sentences = RULES.flatMap((rule) => {
    const agents = keptOutBy(rule);
    if (agents.length === 0) return [];
    return [`${agents.length === OTHER_AGENTS.length ? "All" : agents.join(", ")} kept out by ${RULE_NAMES[rule]}`];
  });
  if (sentences.length > 0) return sentences.join("; ");
  return access && keptOutBy(undefined).length === OTHER_AGENTS.length ? "All let in" : UNKNOWN;
}

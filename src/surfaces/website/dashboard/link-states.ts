import { evidenceOf, type Finding } from "../../../domain/projects/findings.ts";
import type { LinkRecord } from "../../../domain/projects/read.ts";
import { LINK_ERRORS, type LinkError, type LinkState } from "../../../domain/projects/states.ts";
import { DAY } from "../../../platform/clock.ts";

/** The short name of each finding. Its colour is the CSS class `state-` and the finding. */
export const FINDING_LABELS: Readonly<Record<Finding, string>> = {
  waiting: "Waiting",
  checking: "Checking",
  indexed: "Indexed",
  gone: "Gone",
  not_indexed: "Not indexed",
  unknown: "Unknown",
  failed: "Not sent",
};

/**
 * The names of the statuses of the API, by which a list is filtered. They are words of their own, since a status counts more
 * than the finding of its name: `indexed` also what is gone, `not_indexed` and `failed` what nobody could find out.
 */
export const STATUS_LABELS: Readonly<Record<LinkState, string>> = {
  waiting: "Waiting",
  checking: "Checking",
  indexed: "Found",
  not_indexed: "Not found",
  failed: "Failed",
};

/** What each finding means in a project that sends its links, and in one that only checks them. */
export const FINDING_MEANINGS: Readonly<Record<"index" | "check", Readonly<Record<Finding, string>>>> = {
  index: {
    waiting: "not sent yet",
    checking: "sent, and looked for until day 14",
    indexed: "Google has it, at the last check",
    gone: "Google had it, and did not at the last check",
    not_indexed: "Google does not have it; paid back",
    unknown: "no reliable answer could be had; paid back",
    failed: "paid back",
  },
  check: {
    waiting: "not looked up yet",
    checking: "being looked up",
    indexed: "Google has it",
    gone: "Google had it, and did not at the last check",
    not_indexed: "Google does not have it",
    unknown: "no reliable answer could be had; not charged",
    failed: "not looked up; not charged",
  },
};

/** Why a check did not find a page, by our word for it in the evidence. */
export const REASON_WORDS: Readonly<Record<string, string>> = {
  crawled_not_indexed: "Google has crawled it and chose not to index it",
  discovered_not_indexed: "Google knows the address and has not crawled it yet",
  unknown_to_google: "Google does not know the address",
  noindex: "your page says noindex",
  http_404: "your page answers 404",
  http_410: "your page answers 410",
  soft_404: "Google takes your page for an empty one",
  robots_disallowed: "your robots.txt does not allow Googlebot",
  redirect: "your page redirects",
  server_error: "your server answered with an error",
  alternate_canonical: "your page names another one as canonical",
  duplicate: "Google takes it for a duplicate of another page",
  host_not_public: "its host is not on the public web",
};

/**
 * The state of a link in a sentence that says no more than its evidence, such as "Gone since day 9: your page says
 * noindex" or "Unknown: paid back". Days count from when it was sent.
 */
export function stateSentence(record: LinkRecord): string {
  const { link, project } = record;
  const { finding, foundAt, goneAt, reason } = evidenceOf(record);
  const isPaidBack = project.kind === "index";
  const why = reason && REASON_WORDS[reason] ? `: ${REASON_WORDS[reason]}` : "";
  const day = (at: number) => `day ${Math.floor((at - (link.sentAt ?? project.createdAt)) / DAY)}`;
  switch (finding) {
    case "waiting":
      return isPaidBack ? "Waiting to be sent" : "Waiting to be looked up";
    case "checking":
      return why ? `Not found so far${why}` : "Sent; not found so far";
    case "indexed":
      return foundAt === null || !isPaidBack ? "Google has it" : `Google has it, found on ${day(foundAt)}`;
    case "gone":
      return `Gone since ${day(goneAt!)}${why}`;
    case "not_indexed":
      return isPaidBack ? `Not indexed: paid back${why && ` (${why.slice(2)})`}` : `Not indexed${why}`;
    case "unknown":
      return isPaidBack ? "Unknown: paid back" : "Unknown: not charged";
    case "failed":
      return `${isPaidBack ? "Not sent" : "Not looked up"}: ${LINK_ERRORS[link.error as LinkError] ?? "no reason is recorded"}`;
  }
}

import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import type { Finding, LinkEvidence, LinkState } from "./reading.ts";

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
 * than the finding of the same name: `indexed` also what is gone, `not_indexed` and `failed` also what nobody could find out.
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
    checking: `sent, and looked for until day ${CHECK_DAYS.final}`,
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

/**
 * The state of a link in a sentence that says no more than its evidence, such as "Gone since day 9: your page says
 * noindex" or "Unknown: paid back". Days count from when it was sent.
 */
export function stateSentence(evidence: LinkEvidence): string {
  const { finding, start, foundAt, goneAt, why: words, failure, isPaid } = evidence;
  const why = words === null ? "" : `: ${words}`;
  const day = (at: number) => `day ${Math.floor((at - start) / DAY)}`;
  switch (finding) {
    case "waiting":
      return isPaid ? "Waiting to be sent" : "Waiting to be looked up";
    case "checking":
      return why ? `Not found so far${why}` : "Sent; not found so far";
    case "indexed":
      return foundAt === null || !isPaid ? "Google has it" : `Google has it, found on ${day(foundAt)}`;
    case "gone":
      return `Gone since ${day(goneAt!)}${why}`;
    case "not_indexed":
      return isPaid ? `Not indexed: paid back${why && ` (${words})`}` : `Not indexed${why}`;
    case "unknown":
      return isPaid ? "Unknown: paid back" : "Unknown: not charged";
    case "failed":
      return `${isPaid ? "Not sent" : "Not looked up"}: ${failure}`;
  }
}

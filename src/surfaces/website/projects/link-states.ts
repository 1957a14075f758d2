import { FINDING_LABELS } from "../../../contract/finding-labels.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import type { Finding, LinkEvidence } from "./domain.ts";

/** What a project does with its URLs: one that only checks them sends none. */
export type Kind = "index" | "check";

/** The findings in the order in which people read them: what is certain first, what is still open last. */
export const ORDER = Object.keys(FINDING_LABELS) as Finding[];

/**
 * The word for a finding, wherever people read it: pages, lists, the CSV of the pages. The API has its codes. The colour of a
 * finding is the CSS class `state-` and its code.
 */
export function wordOf(finding: Finding, kind: Kind): string {
  return finding === "failed" && kind === "check" ? "Not looked up" : FINDING_LABELS[finding];
}

/** Counts of a project by finding, for a bar and for links to its URLs. */
export function partsOf(counts: Readonly<Record<Finding, number>>, kind: Kind) {
  return ORDER.map((state) => ({ state, label: wordOf(state, kind), count: counts[state] }));
}

/** What each finding means, after its word. */
export const MEANINGS: Readonly<Record<Kind, Readonly<Record<Finding, string>>>> = {
  index: {
    waiting: "not sent yet",
    checking: `sent, and looked for until day ${CHECK_DAYS.final}`,
    indexed: "Google has it, at the last check",
    gone: "Google had it, and did not at the last check",
    not_indexed: "Google does not have it; credits back",
    unknown: "no reliable answer could be had; credits back",
    failed: "credits back, less the checks that were made before",
  },
  check: {
    waiting: "not looked up yet",
    checking: "being looked up",
    indexed: "Google has it",
    gone: "Google had it, and did not at the last check",
    not_indexed: "Google does not have it",
    unknown: "no reliable answer could be had; not charged",
    failed: "nobody asked Google; not charged",
  },
};

/**
 * The result of a link in a sentence that begins with its word and says no more than its evidence, such as "Gone since day 9:
 * your page says noindex". Days count from when it was sent.
 */
export function resultSentence(evidence: LinkEvidence): string {
  const { word, more } = resultOf(evidence);
  return `${word}${more}`;
}

/** The word of a link's result, and the rest of the sentence. */
export function resultOf(evidence: LinkEvidence): { readonly word: string; readonly more: string } {
  const { finding, isPaid } = evidence;
  return { word: wordOf(finding, isPaid ? "index" : "check"), more: moreOf(evidence) };
}

function moreOf({
  finding,
  start,
  firstFoundAt,
  goneAt,
  why: words,
  failure,
  isPaid,
  isLookedUp,
}: LinkEvidence): string {
  const why = words === null ? "" : `: ${words}`;
  const day = (at: number) => `day ${Math.floor((at - start) / DAY)}`;
  switch (finding) {
    case "waiting":
      return isPaid ? " to be sent" : " to be looked up";
    case "checking":
      return isLookedUp ? `: not found so far${why && `, ${words}`}` : ": not looked up yet";
    case "indexed":
      return firstFoundAt === null || !isPaid ? "" : `, first found on ${day(firstFoundAt)}`;
    case "gone":
      return ` since ${day(goneAt!)}${why}`;
    case "not_indexed":
      return `${why}${isPaid ? `${why ? "; " : ": "}credits back` : ""}`;
    case "unknown":
      return isPaid ? ": no reliable answer; credits back" : ": no reliable answer; not charged";
    case "failed":
      return `: ${decapitalised(failure!)}`;
  }
}

/** A sentence as what follows a colon: without its capital, unless it begins with a name, and its full stop. */
function decapitalised(sentence: string): string {
  return sentence.replace(/^(?!Google)[A-Z](?=[a-z])/, (first) => first.toLowerCase()).replace(/\.$/, "");
}

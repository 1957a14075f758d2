import type { ProjectRow } from "../../../domain/projects/read.ts";
import { LINK_STATES, type LinkState } from "../../../domain/projects/states.ts";
import { formatNumber, formatPercent } from "../../../platform/format.ts";
import { type Html, html } from "../html.ts";
import { table } from "./table.ts";

/** The labels of the states of a link. */
export const STATUS_LABELS: Readonly<Record<LinkState, string>> = {
  waiting: "Waiting",
  checking: "Checking",
  indexed: "Indexed",
  not_indexed: "Not indexed",
  failed: "Failed",
};

/** What each state means, in a project that sends its links and in one that only checks them. */
const MEANINGS: Readonly<Record<"index" | "check", Readonly<Record<LinkState, string>>>> = {
  index: {
    waiting: "not sent yet",
    checking: "sent, not decided yet",
    indexed: "found in Google",
    not_indexed: "not found in Google, credits returned",
    failed: "not sent, credits returned",
  },
  check: {
    waiting: "not checked yet",
    checking: "being checked",
    indexed: "found in Google",
    not_indexed: "not found in Google",
    failed: "could not be checked",
  },
};

/** How many of a project's URLs have each status. The bars repeat the numbers, so screen readers skip them. */
export function statusTable(project: ProjectRow): Html {
  const meanings = MEANINGS[project.kind === "check" ? "check" : "index"];
  const { total, waiting, checking, indexed, notIndexed, failed } = project;
  const counts = { waiting, checking, indexed, not_indexed: notIndexed, failed };
  const rows = LINK_STATES.map((state) => {
    const count = counts[state];
    return [
      html`<strong>${STATUS_LABELS[state]}</strong> <span class="soft">${meanings[state]}</span>`,
      html`<span class="number">${formatNumber(count)}</span>`,
      html`<div class="share"><span class="number">${formatPercent(count, total)}</span>
<progress max="${total}" value="${count}" aria-hidden="true"></progress></div>`,
    ];
  });
  const decided = indexed + notIndexed;
  const rate =
    decided > 0
      ? html`<p>Decided so far: ${formatNumber(decided)}, of which ${formatPercent(indexed, decided)} are indexed.</p>`
      : "";
  return html`${table("URLs by status", ["Status", "URLs", "Share"], rows)}${rate}`;
}

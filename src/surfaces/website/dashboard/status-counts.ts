import type { ProjectRow } from "../../../domain/projects/read.ts";
import { LINK_STATES } from "../../../domain/projects/states.ts";
import { type Html, html } from "../html.ts";
import { figure } from "./dates.ts";
import { table } from "./table.ts";

type State = (typeof LINK_STATES)[number];

/** How the states of a link are called here. */
export const STATUS_LABELS: Readonly<Record<State, string>> = {
  waiting: "Waiting",
  checking: "Checking",
  indexed: "Indexed",
  not_indexed: "Not indexed",
  failed: "Failed",
};

/** What each state means where links are to be indexed, and where they are looked up only. */
const MEANINGS: Readonly<Record<"index" | "check", Readonly<Record<State, string>>>> = {
  index: {
    waiting: "not sent yet",
    checking: "sent, and being looked for",
    indexed: "Google has it",
    not_indexed: "Google does not have it: paid back",
    failed: "not sent: paid back",
  },
  check: {
    waiting: "not looked up yet",
    checking: "being looked up",
    indexed: "Google has it",
    not_indexed: "Google does not have it",
    failed: "not looked up",
  },
};

/** A project's URLs by status: numbers, with a bar that only says the same again. */
export function statusTable(project: ProjectRow): Html {
  const meanings = MEANINGS[project.kind === "check" ? "check" : "index"];
  const { total, waiting, checking, indexed, notIndexed, failed } = project;
  const counts = { waiting, checking, indexed, not_indexed: notIndexed, failed };
  const rows = LINK_STATES.map((state) => {
    const count = counts[state];
    return [
      html`<strong>${STATUS_LABELS[state]}</strong> <span class="soft">${meanings[state]}</span>`,
      html`<span class="number">${figure(count)}</span>`,
      html`<div class="share"><span class="number">${percent(count, total)}</span>
<progress max="${total}" value="${count}" aria-hidden="true"></progress></div>`,
    ];
  });
  const decided = indexed + notIndexed;
  const rate = decided > 0 ? html`<p>Of ${figure(decided)} decided, ${percent(indexed, decided)} are indexed.</p>` : "";
  return html`${table("URLs by status", ["Status", "URLs", "Share"], rows)}${rate}`;
}

function percent(part: number, whole: number): string {
  return `${Math.round((1000 * part) / whole) / 10}%`;
}

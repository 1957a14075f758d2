import type { VNode } from "preact";
import { formatCount } from "../../../platform/format.ts";
import { LANES, type Progress, type Project } from "./domain.ts";

const NAMES: Readonly<Record<(typeof LANES)[number], string>> = { google: "Google", bing: "Bing", yandex: "Yandex" };

const STATUS_WORDS = {
  sent: "sent, answer unclear",
  accepted: "accepted",
  skipped: "skipped",
  failed: "refused",
} as const;

/** Why an engine did not get a URL, by the detail of its delivery. */
const DETAIL_WORDS: Readonly<Record<string, string>> = {
  host_not_verified: "it takes them from the site's owner only; verify the host",
  gave_up: "no provider could take it for 14 days",
};

/** What each search engine was sent, and what it answered. */
export function ProjectEngines({ project, engines }: { project: Project; engines: Progress["engines"] }): VNode {
  const lanes = LANES.filter((lane) => (lane === "google" ? project.kind === "index" : project[lane]));
  return (
    <section class="panel" id="engines" data-live-part>
      <h2>Search engines</h2>
      {lanes.length === 0 && <p>None: a check sends nothing.</p>}
      <ul class="steps">
        {lanes.map((lane) => {
          const groups = engines.filter((one) => one.lane === lane);
          return (
            <li key={lane}>
              <strong>{NAMES[lane]}</strong>:{" "}
              {groups.length === 0 ? "nothing sent yet" : groups.map(wordsOf).join("; ")}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function wordsOf({ status, detail, links }: Progress["engines"][number]): string {
  const why = detail === null ? undefined : DETAIL_WORDS[detail];
  return `${formatCount(links, "URL")} ${STATUS_WORDS[status]}${why ? `, since ${why}` : ""}`;
}

import type { VNode } from "preact";
import type getReport from "../../../../tools/get-report.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { StateBar } from "../components/state-bar.tsx";
import { Meaning, NextStep } from "./advice-text.tsx";
import { isNotIndexedReason, type Project } from "./domain.ts";
import { linksPath } from "./link-query.ts";
import { type Kind, wordOf } from "./link-states.ts";
import { resubmitPath } from "./resubmit.tsx";

type Group = AnswerOf<typeof getReport>["groups"][number];

/** Why the URLs that are not in Google are not there, and what to do about each reason, as get_report says it. */
export function Reasons({ project, groups }: { project: Project; groups: readonly Group[] }): VNode {
  const others = byReason(groups.filter(({ status }) => status !== "indexed"));
  const isAReason = (group: Group) => group.reason !== group.status && group.reason !== "already_indexed";
  const reasons = others.filter(isAReason);
  const rest = others.filter((group) => !isAReason(group));
  const most = Math.max(...reasons.map(({ count }) => count));
  return (
    <section class="panel" id="reasons" data-live-part>
      <h2>Why the others are not there</h2>
      {reasons.length === 0 && <p>{rest.length === 0 ? EVERYTHING : NOTHING}</p>}
      <ul class="reasons">
        {reasons.map((group) => (
          <Reason key={`${group.status} ${group.reason}`} {...{ project, group, most }} />
        ))}
      </ul>
      {rest.map((group) => (
        <p key={`${group.status} ${group.reason}`} class="soft">
          <a href={linksPath(project.id, { status: group.status, reason: group.reason })}>
            {formatCount(group.count, "URL")}
          </a>
          : {group.words}
        </p>
      ))}
    </section>
  );
}

const EVERYTHING = "Every URL is in Google.";
const NOTHING = "No reason is known yet: reasons come with the checks.";

interface ReasonProps {
  readonly project: Project;
  readonly group: Group;
  /** The count of the largest group. */
  readonly most: number;
}

function Reason({ project, group, most }: ReasonProps): VNode {
  const { status, reason, words, by, count } = group;
  const label = wordOf(status, project.kind as Kind);
  const path = linksPath(project.id, { status, reason });
  return (
    <li>
      <p class="head">
        <strong>{by === "google" ? `“${words}”` : words}</strong>{" "}
        <a class="number" href={path}>
          {formatNumber(count)}
        </a>
      </p>
      <StateBar parts={[{ state: status, label, count }]} most={most} />
      <p>
        <NextStep advice={group} />
      </p>
      <div class="acts">
        <span class={`state state-${status}`}>{label}</span>
        <a href={path}>
          See all {formatNumber(count)}
          <span class="visually-hidden"> {count === 1 ? "URL" : "URLs"}</span>
        </a>
        {isSentAgain(group) && <a href={resubmitPath(project.id, reason)}>Submit again</a>}
        <details>
          <summary>What it means</summary>
          <p>
            <Meaning advice={group} />
          </p>
        </details>
      </div>
    </li>
  );
}

/** What resubmit takes: URLs that are not indexed, for a reason that somebody can change. */
function isSentAgain({ status, reason, who }: Group): boolean {
  return (status === "not_indexed" || status === "unknown") && who !== "nobody" && isNotIndexedReason(reason);
}

/** One group for each finding and reason: the same reason in Google's words and in ours is one to people. */
function byReason(groups: readonly Group[]): Group[] {
  const merged = new Map<string, Group>();
  for (const group of groups) {
    const key = `${group.status} ${group.reason}`;
    const same = merged.get(key);
    merged.set(key, same ? { ...same, count: same.count + group.count } : group);
  }
  return [...merged.values()].sort((a, b) => b.count - a.count);
}

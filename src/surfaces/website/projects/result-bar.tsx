import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { StateBar } from "../components/state-bar.tsx";
import type { Progress, Project } from "./domain.ts";
import { linksPath } from "./link-query.ts";
import { type Kind, MEANINGS, partsOf } from "./link-states.ts";

/** How many URLs have each finding, as a bar and as links to them. */
export function ResultBar({ project, counts }: { project: Project; counts: Progress["counts"] }): VNode {
  const kind = project.kind as Kind;
  const parts = partsOf(counts, kind);
  return (
    <div class="result-bar">
      <StateBar parts={parts} />
      <ul class="legend">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ state, label, count }) => (
            <li key={state}>
              <a href={linksPath(project.id, { status: state })} title={MEANINGS[kind][state]}>
                <span class={`state state-${state}`}>
                  {label} <strong>{formatNumber(count)}</strong>
                </span>
              </a>
            </li>
          ))}
      </ul>
    </div>
  );
}

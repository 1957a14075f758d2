import type { VNode } from "preact";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { StateBar } from "./state-bar.tsx";
import { Table } from "./table.tsx";

interface Reason {
  /** The name of the CSS class of its colour, without `state-`, and what it means. */
  readonly state: string;
  readonly label: string;
  readonly words: string;
  readonly count: number;
  readonly nextStep: string;
}

interface ReasonsProps {
  /** The most frequent first. */
  readonly reasons: readonly Reason[];
  /** How many of them are shown. */
  readonly most: number;
}

/** Why the other pages are not in Google, and what to do about it; null where there are none. */
export function Reasons({ reasons, most }: ReasonsProps): VNode | null {
  if (reasons.length === 0) return null;
  const shown = reasons.slice(0, most);
  const largest = Math.max(...shown.map(({ count }) => count));
  return (
    <section>
      <h2>Why the others are not there</h2>
      <Table
        label="Reasons"
        rows={shown}
        columns={[
          { head: "Reason", cell: ({ words }) => <span class="name">{words}</span> },
          {
            head: "Compared",
            cell: ({ state, label, count }) => <StateBar parts={[{ state, label, count }]} most={largest} />,
          },
          { head: "Pages", isNumber: true, cell: ({ count }) => formatNumber(count) },
          { head: "What to do", cell: ({ nextStep }) => nextStep },
        ]}
      />
      {reasons.length > most && <p class="soft">and {formatCount(reasons.length - most, "rarer reason")}</p>}
    </section>
  );
}

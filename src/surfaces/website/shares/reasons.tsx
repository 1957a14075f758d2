import type { VNode } from "preact";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { StateBar } from "../components/state-bar.tsx";
import { Table } from "../components/table.tsx";
import { wordOf } from "../projects/words.ts";
import type { Finding } from "./reading.ts";

interface Reason {
  readonly finding: Finding;
  readonly words: string;
  readonly count: number;
  readonly nextStep: string;
}

interface ReasonsProps {
  /** The most frequent first. */
  readonly reasons: readonly Reason[];
  /** Of the pages, whatever became of them. */
  readonly total: number;
  /** How many of them are shown. */
  readonly most: number;
}

/** Why the others are not in Google, and what to do about it; null where there are none. */
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
            cell: ({ finding, count }) => (
              <StateBar parts={[{ state: finding, label: wordOf(finding, "index"), count }]} most={largest} />
            ),
          },
          { head: "Pages", isNumber: true, cell: ({ count }) => formatNumber(count) },
          { head: "What to do", cell: ({ nextStep }) => nextStep },
        ]}
      />
      {reasons.length > most && <p class="soft">and {formatCount(reasons.length - most, "rarer reason")}</p>}
    </section>
  );
}

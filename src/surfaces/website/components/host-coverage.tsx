import type { VNode } from "preact";
import { formatDays, formatNumber, formatPercent } from "../../../platform/format.ts";
import { CoverageChart } from "../charts/coverage-chart.tsx";
import { Reasons } from "./reasons.tsx";
import { Time } from "./time.tsx";

/** What get_coverage says of a host, with the words of each reason. */
export interface CoverageFacts {
  readonly host: string;
  readonly pages: number;
  readonly in_google: number;
  readonly unknown: number;
  readonly as_of: string;
  readonly median_days: number | null;
  readonly series: readonly { readonly day: string; readonly pages: number; readonly in_google: number }[];
  readonly reasons: readonly { readonly meaning: string; readonly nextStep: string; readonly count: number }[];
}

/** How many pages of a host Google has. */
export function CoverageHeadline({ coverage }: { coverage: CoverageFacts }): VNode {
  const { pages, in_google, unknown, as_of, median_days } = coverage;
  return (
    <>
      <p class="headline">
        <strong>
          {formatNumber(in_google)} of {formatNumber(pages)}
        </strong>{" "}
        pages in Google ({formatPercent(in_google, Math.max(pages, 1))})
        {median_days !== null && ` · half of them within ${formatDays(median_days)}`}
        {unknown > 0 && ` · ${formatNumber(unknown)} unknown`}
      </p>
      <p class="soft">
        As of <Time at={as_of} />
      </p>
    </>
  );
}

/** How the pages of a host came into Google by day. */
export function CoverageOverTime({ coverage: { host, series } }: { coverage: CoverageFacts }): VNode {
  return <CoverageChart host={host} series={series} />;
}

/** Why pages of a host are not in Google, and what to do. */
export function CoverageReasons({ coverage: { reasons } }: { coverage: CoverageFacts }): VNode {
  return (
    <Reasons
      most={reasons.length}
      reasons={reasons.map((one) => ({ ...one, words: one.meaning, state: "not_indexed", label: "Not in Google" }))}
    />
  );
}

import type { VNode } from "preact";
import { DAY } from "../../../platform/clock.ts";
import { formatNumber } from "../../../platform/format.ts";
import { DayLines } from "./day-lines.tsx";

interface CoverageChartProps {
  readonly host: string;
  /** Each day as YYYY-MM-DD; ascending, without gaps. */
  readonly series: readonly { readonly day: string; readonly pages: number; readonly in_google: number }[];
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Days that are named below the picture. */
const NAMED = 6;

/** How many pages of a host were known, and how many of them were in Google, by day. */
export function CoverageChart({ host, series }: CoverageChartProps): VNode | null {
  if (series.length === 0) return null;
  const days = series.map(({ day, ...counts }) => ({ day: Date.parse(day) / DAY, ...counts }));
  const [first, last] = [days[0]!, days.at(-1)!];
  const points = (name: "pages" | "in_google") => [
    ...days.map((one) => ({ day: one.day, count: one[name] })),
    { day: last.day + 1, count: last[name] },
  ];
  const every = Math.max(1, Math.ceil(days.length / NAMED));
  return (
    <figure class="coverage">
      <DayLines
        lines={[
          { class: "state-waiting", points: points("pages") },
          { class: "state-indexed", points: points("in_google"), isFilled: true },
        ]}
        from={first.day}
        to={last.day + 1}
        most={Math.max(...days.map(({ pages }) => pages))}
        ticks={days.filter((_, at) => at % every === 0).map(({ day }) => ({ day, label: monthDay(day) }))}
        description={`Pages of ${host} in Google, from ${series[0]!.day} to ${series.at(-1)!.day}: ${formatNumber(first.in_google)} of ${formatNumber(first.pages)} at first, ${formatNumber(last.in_google)} of ${formatNumber(last.pages)} at last`}
      />
      <figcaption class="row soft">
        <span class="state state-indexed">In Google</span>
        <span class="state state-waiting">Pages known</span>
      </figcaption>
    </figure>
  );
}

/** "5 Jan" */
function monthDay(day: number): string {
  const date = new Date(day * DAY);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

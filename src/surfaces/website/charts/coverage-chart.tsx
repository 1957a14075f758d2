import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import type { VNode } from "preact";
import { DAY } from "../../../platform/clock.ts";
import { formatNumber } from "../../../platform/format.ts";
import { CountAxis, round } from "./count-axis.tsx";

const WIDTH = 600;
const HEIGHT = 230;
const MARGIN = { top: 16, right: 12, bottom: 30, left: 52 };

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
  const x = scaleLinear([first.day, last.day + 1], [MARGIN.left, WIDTH - MARGIN.right]);
  const most = Math.max(1, ...days.map(({ pages }) => pages));
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  // A day holds until the next one, the last one too.
  const points = [...days, { ...last, day: last.day + 1 }];
  const lineOf = (name: "pages" | "in_google") =>
    line<(typeof points)[number]>()
      .x(({ day }) => round(x(day)))
      .y((point) => round(y(point[name])))
      .curve(curveStepAfter)(points)!;
  const below = area<(typeof points)[number]>()
    .x(({ day }) => round(x(day)))
    .y0(round(y(0)))
    .y1((point) => round(y(point.in_google)))
    .curve(curveStepAfter);
  const every = Math.max(1, Math.ceil(days.length / NAMED));
  const description = `Pages of ${host} in Google, from ${series[0]!.day} to ${series.at(-1)!.day}: ${formatNumber(first.in_google)} of ${formatNumber(first.pages)} at first, ${formatNumber(last.in_google)} of ${formatNumber(last.pages)} at last`;
  return (
    <figure class="coverage">
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
        <CountAxis y={y} left={MARGIN.left} right={WIDTH - MARGIN.right} />
        {days
          .filter((_, at) => at % every === 0)
          .map(({ day }, at) => (
            <g key={day} class={at % 2 === 1 ? "minor" : undefined} transform={`translate(${round(x(day))} 0)`}>
              <text class="tick" y={HEIGHT - 8} text-anchor={anchorAt(x(day))}>
                {monthDay(day)}
              </text>
            </g>
          ))}
        <g class="state-waiting">
          <path class="line" d={lineOf("pages")} />
        </g>
        <g class="state-indexed">
          <path class="below" d={below(points)!} />
          <path class="line" d={lineOf("in_google")} />
        </g>
      </svg>
      <figcaption class="row soft">
        <span class="state state-indexed">In Google</span>
        <span class="state state-waiting">Pages known</span>
      </figcaption>
    </figure>
  );
}

/** Keeps a label near an edge within the picture. */
function anchorAt(x: number): string {
  if (x < MARGIN.left + 30) return "start";
  return x > WIDTH - MARGIN.right - 40 ? "end" : "middle";
}

/** "5 Jan" */
function monthDay(day: number): string {
  const date = new Date(day * DAY);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

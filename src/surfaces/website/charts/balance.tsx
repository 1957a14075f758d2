import { scaleLinear, scaleUtc } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import type { VNode } from "preact";
import { DAY, iso } from "../../../platform/clock.ts";
import { formatNumber } from "../../../platform/format.ts";

const WIDTH = 720;
const HEIGHT = 220;
const MARGIN = { top: 12, right: 12, bottom: 28, left: 56 };

/** A balance from a moment on, until the next one. */
export interface BalancePoint {
  readonly at: number;
  readonly balance: number;
}

interface BalanceChartProps {
  /** Oldest first, at least one. */
  readonly points: readonly BalancePoint[];
  /** The right edge. */
  readonly to: number;
  /** A sentence that says what the picture shows. */
  readonly description: string;
}

/** A balance over time, as an SVG without scripts or styles of its own. */
export function BalanceChart({ points, to, description }: BalanceChartProps): VNode {
  const from = points[0]!.at;
  const shown = [...points, { at: to, balance: points.at(-1)!.balance }];
  const balances = shown.map(({ balance }) => balance);
  const x = scaleUtc([from, to], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([Math.min(0, ...balances), Math.max(1, ...balances)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  y.nice(4);
  const across = ({ at }: BalancePoint) => round(x(at));
  const up = ({ balance }: BalancePoint) => round(y(balance));
  const outline = line<BalancePoint>().x(across).y(up).curve(curveStepAfter)(shown)!;
  const filled = area<BalancePoint>()
    .x(across)
    .y0(round(y(0)))
    .y1(up)
    .curve(curveStepAfter)(shown)!;
  const label = to - from < 2 * DAY ? clockTime : monthDay;
  return (
    <svg
      class="chart whole-width"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby="balance-title balance-text"
    >
      <title id="balance-title">Balance over time</title>
      <desc id="balance-text">{description}</desc>
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick} transform={`translate(0 ${round(y(tick))})`}>
            <line class="grid" x1={MARGIN.left} x2={WIDTH - MARGIN.right} />
            <text class="tick" x={MARGIN.left - 6} dy="0.32em" text-anchor="end">
              {formatNumber(tick)}
            </text>
          </g>
        ))}
      {x.ticks(5).map((time, at) => (
        <g key={at} class={at % 2 === 1 ? "minor" : undefined} transform={`translate(${round(x(time))} 0)`}>
          <text class="tick" y={HEIGHT - 8} text-anchor={anchorAt(x(time))}>
            {label(time)}
          </text>
        </g>
      ))}
      <path class="balance-area" d={filled} />
      <path class="balance-line" d={outline} />
    </svg>
  );
}

/** Keeps a label near an edge within the picture. */
function anchorAt(x: number): string {
  if (x < MARGIN.left + 30) return "start";
  return x > WIDTH - MARGIN.right - 40 ? "end" : "middle";
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** "5 Jan" */
function monthDay(time: Date): string {
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}`;
}

/** "12:30" */
function clockTime(time: Date): string {
  return iso(time.getTime()).slice(11, 16);
}

/** Two digits are finer than a pixel. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

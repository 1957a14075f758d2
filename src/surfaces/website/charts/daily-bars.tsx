import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { iso } from "../../../platform/clock.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";

const WIDTH = 720;
const HEIGHT = 180;
const MARGIN = { top: 12, right: 12, bottom: 28, left: 56 };

interface DailyBarsProps {
  /** What is counted, such as "call"; each noun can have one picture on a page. */
  readonly noun: string;
  readonly days: readonly { readonly at: number; readonly count: number }[];
}

/** Counts a day as bars, as an SVG without scripts or styles of its own; each bar says its day and number. */
export function DailyBars({ noun, days }: DailyBarsProps): VNode {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const step = (WIDTH - MARGIN.left - MARGIN.right) / days.length;
  return (
    <svg
      class="chart whole-width"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${noun}s-title ${noun}s-text`}
    >
      <title id={`${noun}s-title`}>{`${noun.replace(/^./, (first) => first.toUpperCase())}s a day`}</title>
      <desc id={`${noun}s-text`}>{describe(days)}</desc>
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
      {days.map(({ at, count }, index) => (
        <g key={at} transform={`translate(${round(MARGIN.left + index * step)} 0)`}>
          {count > 0 && (
            <rect class="bar" x="1" y={round(y(count))} width={round(step - 2)} height={round(y(0) - y(count))}>
              <title>{`${dayName(at)}: ${formatCount(count, noun)}`}</title>
            </rect>
          )}
          {/* The last day is named, and every seventh before it. */}
          {(days.length - 1 - index) % 7 === 0 && (
            <text class="tick" x={round(step / 2)} y={HEIGHT - 8} text-anchor="middle">
              {dayName(at)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** What a screen reader says: the days on which there was something. */
function describe(days: DailyBarsProps["days"]): string {
  const used = days.filter(({ count }) => count > 0);
  return used.map(({ at, count }) => `${dayName(at)}: ${formatNumber(count)}`).join(", ");
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** "5 Jan" */
function dayName(at: number): string {
  const [, month, day] = iso(at).slice(0, 10).split("-").map(Number) as [number, number, number];
  return `${day} ${MONTHS[month - 1]}`;
}

/** Two digits are finer than a pixel. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

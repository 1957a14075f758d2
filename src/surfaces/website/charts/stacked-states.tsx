import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, stack } from "d3-shape";
import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatNumber } from "../../../platform/format.ts";

/** From the bottom up: what is certain first, what is still open on top. */
const ORDER = ["indexed", "gone", "not_indexed", "unknown", "failed", "checking", "waiting"] as const;

type State = (typeof ORDER)[number];

/** How many links were in each state at times, ascending. */
export type StateHistory = readonly { readonly at: number; readonly counts: Readonly<Record<State, number>> }[];

/** Days of the scheduled checks. */
const DAYS: readonly number[] = Object.values(CHECK_DAYS);

const WIDTH = 720;
const HEIGHT = 240;
const MARGIN = { top: 12, right: 12, bottom: 28, left: 44 };

interface StackedStatesProps {
  readonly history: StateHistory;
  /** Service time at the left and at the right edge. */
  readonly from: number;
  readonly to: number;
  /** A sentence that says what the picture shows. */
  readonly description: string;
}

/** How many links are in which state over time, stacked, as an SVG without scripts or styles of its own. */
export function StackedStates({ history, from, to, description }: StackedStatesProps): VNode {
  const shown = changesOf(history);
  const total = ORDER.reduce((sum, finding) => sum + (history[0]?.counts[finding] ?? 0), 0);
  const x = scaleLinear([from, to], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, total], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const layers = stack<StateHistory[number], State>()
    .keys(ORDER)
    .value(({ counts }, finding) => counts[finding])([...shown]);
  const path = area<(typeof layers)[number][number]>()
    .x(({ data }) => round(x(data.at)))
    .y0(([bottom]) => round(y(bottom)))
    .y1(([, top]) => round(y(top)))
    .curve(curveStepAfter);
  const days = daysBetween(from, to);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
      {y.ticks(4).map((tick) => (
        <g key={tick} transform={`translate(0 ${round(y(tick))})`}>
          <line class="grid" x1={MARGIN.left} x2={WIDTH - MARGIN.right} />
          <text class="tick" x={MARGIN.left - 6} dy="0.32em" text-anchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {days.map((day) => (
        <g
          key={day}
          class={day % 4 === 2 ? "minor" : undefined}
          transform={`translate(${round(x(from + day * DAY))} 0)`}
        >
          <line class="grid" y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
          <text class="tick" y={HEIGHT - 8} text-anchor={day === 0 ? "start" : "middle"}>
            {day === 0 ? "Day 0" : day}
          </text>
        </g>
      ))}
      {layers
        .filter((layer) => layer.some(([bottom, top]) => top > bottom))
        .map((layer) => (
          <path key={layer.key} class={`area state-${layer.key}`} d={path(layer) ?? ""} />
        ))}
      {DAYS.filter((day) => days.includes(day)).map((day) => (
        <line
          key={day}
          class="check"
          x1={round(x(from + day * DAY))}
          x2={round(x(from + day * DAY))}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
        />
      ))}
    </svg>
  );
}

/** The points at which something changed, and the last one. */
function changesOf(history: StateHistory): StateHistory {
  return history.filter(({ counts }, index) => {
    const before = history[index - 1]?.counts;
    return !before || index === history.length - 1 || ORDER.some((finding) => counts[finding] !== before[finding]);
  });
}

/** Days to name on the axis: about ten, and always the days of the checks. */
function daysBetween(from: number, to: number): number[] {
  const last = Math.floor((to - from) / DAY);
  const every = Math.max(2, Math.ceil(last / 10));
  const days = Array.from({ length: Math.floor(last / every) + 1 }, (_, index) => index * every);
  return [...new Set([...days, ...DAYS])].filter((day) => day <= last).sort((a, b) => a - b);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

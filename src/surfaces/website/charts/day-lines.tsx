import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";

const WIDTH = 600;
const HEIGHT = 230;
const MARGIN = { top: 16, right: 12, bottom: 30, left: 52 };

/** A count by day; a point holds until the next one. */
export interface DayLine {
  /** The CSS class of its colour: `state-` and a state. */
  readonly class: string;
  /** Ascending by day. */
  readonly points: readonly { readonly day: number; readonly count: number }[];
  /** Whether the space below it is filled. */
  readonly isFilled?: boolean;
}

interface DayLinesProps {
  readonly lines: readonly DayLine[];
  /** The days at the left and at the right edge. */
  readonly from: number;
  readonly to: number;
  /** The count at the upper edge. */
  readonly most: number;
  readonly ticks: readonly { readonly day: number; readonly label: string }[];
  /** Days that a dotted line marks. */
  readonly marks?: readonly number[];
  /** A sentence that says what the picture shows. */
  readonly description: string;
}

/** Counts by day as lines, as an SVG without scripts or styles of its own. */
export function DayLines({ lines, from, to, most, ticks, marks = [], description }: DayLinesProps): VNode {
  const x = scaleLinear([from, Math.max(to, from + 1)], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, Math.max(most, 1)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  type Point = DayLine["points"][number];
  const across = ({ day }: Point) => round(x(day));
  const up = ({ count }: Point) => round(y(count));
  const stroke = line<Point>().x(across).y(up).curve(curveStepAfter);
  const below = area<Point>()
    .x(across)
    .y0(round(y(0)))
    .y1(up)
    .curve(curveStepAfter);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
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
      {ticks.map(({ day, label }, at) => (
        <g key={day} class={at % 2 === 1 ? "minor" : undefined} transform={`translate(${round(x(day))} 0)`}>
          <text class="tick" y={HEIGHT - 8} text-anchor={anchorAt(x(day))}>
            {label}
          </text>
        </g>
      ))}
      {lines.map(({ class: name, points, isFilled }) => (
        <g key={name} class={name}>
          {isFilled && <path class="below" d={below([...points]) ?? ""} />}
          <path class="line" d={stroke([...points]) ?? ""} />
        </g>
      ))}
      {marks.map((day) => (
        <line
          key={day}
          class="check"
          x1={round(x(day))}
          x2={round(x(day))}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
        />
      ))}
    </svg>
  );
}

/** Keeps a label near an edge within the picture. */
function anchorAt(x: number): string {
  if (x < MARGIN.left + 30) return "start";
  return x > WIDTH - MARGIN.right - 40 ? "end" : "middle";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

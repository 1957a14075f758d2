import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatNumber } from "../../../platform/format.ts";
import { CountAxis, round } from "./count-axis.tsx";

/** How many pages had been found until a time, and how many of them were still there. */
export interface FoundPoint {
  readonly at: number;
  readonly found: number;
  readonly inGoogle: number;
}

const WIDTH = 720;
const HEIGHT = 250;
const MARGIN = { top: 26, right: 44, bottom: 28, left: 44 };

interface FoundLineProps {
  /** Ascending, at least one; the line ends at the last of them. */
  readonly points: readonly FoundPoint[];
  /** How many pages there are to be found. */
  readonly total: number;
  /** Service time at the left and at the right edge. */
  readonly from: number;
  readonly to: number;
  /** The next check; null: there is none. */
  readonly next: number | null;
  /** A sentence that says what the picture shows. */
  readonly description: string;
}

/** Pages found over time, and below the line the ones that dropped out again, as an SVG without scripts or styles of its own. */
export function FoundLine({ points, total, from, to, next, description }: FoundLineProps): VNode {
  const x = scaleLinear([from, to], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, Math.max(total, 1)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const shown = changesOf(points);
  const last = points.at(-1)!;
  const across = ({ at }: FoundPoint) => round(x(at));
  const isThere = area<FoundPoint>()
    .x(across)
    .y0(round(y(0)))
    .y1(({ inGoogle }) => round(y(inGoogle)))
    .curve(curveStepAfter);
  const isLost = area<FoundPoint>()
    .x(across)
    .y0(({ inGoogle }) => round(y(inGoogle)))
    .y1(({ found }) => round(y(found)))
    .curve(curveStepAfter);
  const outline = line<FoundPoint>()
    .x(across)
    .y(({ found }) => round(y(found)))
    .curve(curveStepAfter);
  const isAtEdge = x(last.at) > WIDTH - MARGIN.right - 30;
  const end = { x: round(x(last.at)), y: round(y(last.inGoogle)) };
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
      <CountAxis y={y} left={MARGIN.left} right={WIDTH - MARGIN.right} />
      {daysBetween(from, to).map((day) => (
        <g
          key={day}
          class={DAYS.includes(day) || day === 0 ? undefined : "minor"}
          transform={`translate(${round(x(from + day * DAY))} 0)`}
        >
          <text class="tick" y={HEIGHT - 8} text-anchor={day === 0 ? "start" : "middle"}>
            {day === 0 || DAYS.includes(day) ? `Day ${day}` : day}
          </text>
        </g>
      ))}
      <path class="there" d={isThere(shown)!} />
      {last.found > last.inGoogle && <path class="dropped" d={isLost(shown)!} />}
      <path class="outline" d={outline(shown)!} />
      {DAYS.filter((day) => from + day * DAY <= to).map((day) => (
        <Upright key={day} name="check" at={round(x(from + day * DAY))} />
      ))}
      {next !== null && next <= to && (
        <>
          <line class="ahead" x1={end.x} x2={round(x(next))} y1={end.y} y2={end.y} />
          <circle class="ahead" cx={round(x(next))} cy={end.y} r="4" />
        </>
      )}
      <circle class="end" cx={end.x} cy={end.y} r="4" />
      <text
        class="value"
        {...(isAtEdge ? { x: end.x + 9, y: end.y + 5 } : { x: end.x, y: end.y - 10 })}
        text-anchor={isAtEdge ? "start" : "middle"}
      >
        {formatNumber(last.inGoogle)}
      </text>
    </svg>
  );
}

/** Days of the scheduled checks. */
const DAYS: readonly number[] = Object.values(CHECK_DAYS);

function Upright({ name, at }: { name: string; at: number }): VNode {
  return <line class={name} x1={at} x2={at} y1={MARGIN.top - 10} y2={HEIGHT - MARGIN.bottom} />;
}

/** The points at which something changed, and the last one. */
function changesOf(points: readonly FoundPoint[]): FoundPoint[] {
  return points.filter(({ found, inGoogle }, index) => {
    const before = points[index - 1];
    if (!before || index === points.length - 1) return true;
    return found !== before.found || inGoogle !== before.inGoogle;
  });
}

/** Days to name on the axis: about ten, and always the days of the checks, which need the room around them. */
function daysBetween(from: number, to: number): number[] {
  const last = Math.floor((to - from) / DAY);
  const every = Math.max(2, Math.ceil(last / 10));
  const days = Array.from({ length: Math.floor(last / every) + 1 }, (_, index) => index * every);
  const others = days.filter((day) => DAYS.every((one) => Math.abs(one - day) >= every || one > last));
  return [...new Set([...others, ...DAYS])].filter((day) => day <= last).sort((a, b) => a - b);
}

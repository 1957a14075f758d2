import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";

const WIDTH = 120;
const HEIGHT = 28;
/** Room for the thickness of the line. */
const EDGE = 2;

interface SparklineProps {
  /** One value a day, the last of which is today. */
  readonly values: readonly number[];
  /** How many days the line is long, whether or not there are values for all of them. */
  readonly days: number;
  /** The value at the top. */
  readonly most: number;
  /** A sentence that says what the picture shows. */
  readonly description: string;
}

/** A small line without axes, for a cell of a table. */
export function Sparkline({ values, days, most, description }: SparklineProps): VNode {
  const x = scaleLinear([0, Math.max(1, days - 1)], [EDGE, WIDTH - EDGE]);
  const y = scaleLinear([0, Math.max(1, most)], [HEIGHT - EDGE, EDGE]);
  const points = values.map((value, at): [number, number] => [round(x(days - values.length + at)), round(y(value))]);
  const [lastX, lastY] = points.at(-1) ?? [x(days - 1), y(0)];
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
      <path class="below" d={area<[number, number]>().y0(HEIGHT - EDGE)(points) ?? ""} />
      <path class="line" d={line()(points) ?? ""} />
      <circle cx={lastX} cy={lastY} r={EDGE} />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import type { ScaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";

interface CountAxisProps {
  readonly y: ScaleLinear<number, number>;
  /** The left and the right edge of the picture. */
  readonly left: number;
  readonly right: number;
}

/** The lines across a picture that say which height is how many. */
export function CountAxis({ y, left, right }: CountAxisProps): VNode {
  const ticks = y.ticks(4).filter(Number.isInteger);
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${round(y(tick))})`}>
          <line class="grid" x1={left} x2={right} />
          <text class="tick" x={left - 6} dy="0.32em" text-anchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Pictures are as small with one decimal, and look the same. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

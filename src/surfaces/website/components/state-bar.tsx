import type { VNode } from "preact";

interface StateBarProps {
  /** Each state by the name of its CSS class, with its label and how many have it. */
  readonly parts: readonly { readonly state: string; readonly label: string; readonly count: number }[];
  /** The count that is as wide as the bar; default: all of them together. */
  readonly most?: number;
}

/** How many of a set have each state, as one bar. */
export function StateBar({ parts, most = 0 }: StateBarProps): VNode {
  const present = parts.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const words = present.map(({ label, count }) => `${count} ${label.toLowerCase()}`).join(", ");
  let end = 0;
  return (
    <svg
      class="state-bar"
      viewBox={`0 0 ${Math.max(total, most, 1)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {present.map(({ state, count }) => {
        const start = end;
        end += count;
        return <rect key={state} class={`state-${state}`} x={start} y={0} width={count} height={1} />;
      })}
    </svg>
  );
}

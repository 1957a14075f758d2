import type { ComponentChildren, VNode } from "preact";

/** Names and their values. Values that are null are left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }): VNode {
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

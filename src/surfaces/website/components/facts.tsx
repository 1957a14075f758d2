import type { ComponentChildren, VNode } from "preact";

interface FactsProps {
  /** Values that are null are left out. */
  readonly rows: readonly (readonly [string, ComponentChildren])[];
  /** Whether they stand side by side, which suits a few short values. */
  readonly isInline?: boolean;
}

/** Names and their values. */
export function Facts({ rows, isInline }: FactsProps): VNode {
  return (
    <dl class={isInline ? "facts inline" : "facts"}>
      {rows
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

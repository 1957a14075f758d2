import type { ComponentChildren, VNode } from "preact";

interface FactsProps {
  /** Values that are null are left out. */
  readonly rows: readonly (readonly [string, ComponentChildren])[];
  /** They stand beside each other, for a few that are short. */
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

import type { ComponentChildren, VNode } from "preact";

/** Cards side by side; on a phone one below the other. */
export function Cards({ children }: { children: ComponentChildren }): VNode {
  return <div class="cards">{children}</div>;
}

interface CardProps {
  readonly value: string;
  /** Where to go from here. */
  readonly links?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One figure, what it counts, and links that belong to it. */
export function Card({ value, links, children }: CardProps): VNode {
  return (
    <div class="card">
      <strong>{value}</strong> {children}
      {links && <p class="card-links">{links}</p>}
    </div>
  );
}

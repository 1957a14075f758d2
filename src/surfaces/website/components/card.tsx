import type { ComponentChildren, VNode } from "preact";

/** Cards beside each other, below each other on a phone. */
export function Cards({ children }: { children: ComponentChildren }): VNode {
  return <div class="cards">{children}</div>;
}

/** One figure, and what it counts. */
export function Card({ value, children }: { value: string; children: ComponentChildren }): VNode {
  return (
    <div class="card">
      <strong>{value}</strong> {children}
    </div>
  );
}

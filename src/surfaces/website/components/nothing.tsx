import type { VNode } from "preact";

/** Stands in a cell without a value; the cards of a phone leave such cells out. */
export function Nothing(): VNode {
  return <span class="soft none">–</span>;
}

import type { VNode } from "preact";

/** Text of ours in which backticks enclose code. */
export function Prose({ text }: { text: string }): VNode {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

import type { VNode } from "preact";

/** Code to copy; the script of the page adds a button for it. */
export function CodeBlock({ text, class: name }: { text: string; class?: string }): VNode {
  return (
    <pre class={name} data-copy>
      <code>{text}</code>
    </pre>
  );
}

import type { ComponentChildren, VNode } from "preact";

interface InboxItemProps {
  readonly tone: "accent" | "good" | "warn" | "bad";
  readonly kind: string;
  readonly title: ComponentChildren;
  /** What to do about it. */
  readonly action: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One thing that waits for the reader. */
export function InboxItem({ tone, kind, title, action, children }: InboxItemProps): VNode {
  return (
    <li>
      <span class={`kind ${tone}`}>{kind}</span>
      <div class="what">
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
      <div class="act-here">{action}</div>
    </li>
  );
}

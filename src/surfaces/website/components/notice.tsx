import type { ComponentChildren, VNode } from "preact";

interface NoticeProps {
  readonly variant?: "bad" | "good" | undefined;
  readonly children: ComponentChildren;
}

/** A highlighted message; screen readers read it out at once. */
export function Notice({ variant, children }: NoticeProps): VNode {
  return (
    <p class={variant ? `notice ${variant}` : "notice"} role={variant === "bad" ? "alert" : "status"}>
      {children}
    </p>
  );
}

import type { ComponentChildren, VNode } from "preact";

interface ButtonProps {
  /** `quiet` next to a more important button, `bad` for what cannot be undone; `small` within lists. */
  readonly variant?: "quiet" | "bad" | "small" | "quiet small" | "bad small" | undefined;
  /** The field that tells which of several buttons was pressed. */
  readonly name?: string;
  readonly value?: string;
  /** It sends the form although fields are empty or wrong. */
  readonly skipsValidation?: boolean;
  /** What it says while its form is sent, which takes a while. */
  readonly sending?: string;
  readonly children: ComponentChildren;
}

/** A button that sends its form. */
export function Button({ variant, name, value, skipsValidation, sending, children }: ButtonProps): VNode {
  return (
    <button
      type="submit"
      class={variant}
      name={name}
      value={value}
      formNoValidate={skipsValidation}
      data-sending={sending}
    >
      {children}
    </button>
  );
}

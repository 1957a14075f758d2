import type { VNode } from "preact";
import { TextField } from "./field.tsx";

interface FieldState {
  readonly value?: string;
  readonly problem?: string | null | undefined;
}

/** Autocomplete `username` tells a password manager which account it is. */
export function EmailField(typed: FieldState & { readonly isFixed?: boolean }): VNode {
  return <TextField {...typed} name="email" label="E-mail address" type="email" autocomplete="username" />;
}

export function PasswordField({ problem }: Pick<FieldState, "problem">): VNode {
  const autocomplete = "current-password";
  return <TextField {...{ problem, autocomplete }} name="password" label="Password" type="password" />;
}

/** The value is never sent back: the page would contain the password. */
export function NewPasswordField({ label, problem }: { label: string } & Pick<FieldState, "problem">): VNode {
  return (
    <TextField
      {...{ label, problem }}
      name="password"
      type="password"
      autocomplete="new-password"
      minLength={10}
      hint="At least 10 characters. A few words in a row are easy to remember."
    />
  );
}

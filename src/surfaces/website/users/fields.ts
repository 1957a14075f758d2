import { input } from "../form.ts";
import type { Html } from "../html.ts";

interface Typed {
  readonly value?: string;
  readonly problem?: string | null;
}

/** The address by which a password manager knows the account. */
export function emailField(typed: Typed & { readonly isFixed?: boolean } = {}): Html {
  return input({ ...typed, name: "email", label: "E-mail address", type: "email", autocomplete: "username" });
}

export function passwordField(typed: { readonly problem?: string | null } = {}): Html {
  return input({ ...typed, name: "password", label: "Password", type: "password", autocomplete: "current-password" });
}

/** What was typed is never sent back: it would stand in the page. */
export function newPasswordField(typed: { readonly label: string; readonly problem?: string | null }): Html {
  const hint = "At least 10 characters. A few words in a row are easy to remember.";
  return input({ ...typed, name: "password", type: "password", autocomplete: "new-password", minLength: 10, hint });
}

import { input } from "../form.ts";
import type { Html } from "../html.ts";

interface FieldState {
  readonly value?: string;
  readonly problem?: string | null;
}

/** Autocomplete `username` tells a password manager which account it is. */
export function emailField(typed: FieldState & { readonly isFixed?: boolean } = {}): Html {
  return input({ ...typed, name: "email", label: "E-mail address", type: "email", autocomplete: "username" });
}

export function passwordField(typed: { readonly problem?: string | null } = {}): Html {
  return input({ ...typed, name: "password", label: "Password", type: "password", autocomplete: "current-password" });
}

/** The value is never sent back: the page would contain the password. */
export function newPasswordField(typed: { readonly label: string; readonly problem?: string | null }): Html {
  const hint = "At least 10 characters. A few words in a row are easy to remember.";
  return input({ ...typed, name: "password", type: "password", autocomplete: "new-password", minLength: 10, hint });
}

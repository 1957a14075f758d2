import { button, form, input } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest } from "../page-request.ts";
import { PATHS } from "./paths.ts";

/** A hidden field has the e-mail address, so that password managers know which account the password belongs to. */
export function passwordForm(request: SignedInRequest): Html {
  const password = { type: "password", maxLength: 1_024 } as const;
  const hint = "At least 10 characters. All other browsers are signed out when you change it.";
  return form(
    request,
    `${PATHS.security}/password`,
    html`<input type="text" name="username" autocomplete="username" value="${request.session.email}" hidden>
${input({ ...password, name: "current", label: "Current password", autocomplete: "current-password" })}
${input({ ...password, name: "password", label: "New password", autocomplete: "new-password", hint })}
${button("Change password")}`,
  );
}

import { isRecent } from "../../../domain/users/sessions.ts";
import { newId } from "../../../platform/ids.ts";
import { SIZES } from "../../../platform/limits.ts";
import { SCOPES, type Scope } from "../../../platform/principal.ts";
import { button, form, hidden, input, scopeCheckboxes } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest } from "../page-request.ts";
import { PATHS } from "./paths.ts";

export const NAME_LENGTH = 120;

export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** The form for one more key, or what stands in its way. */
export function keyForm(
  request: SignedInRequest,
  state: { paid: boolean; active: number; draft?: KeyDraft | undefined },
): Html {
  const { paid, active, draft = { name: "", scopes: SCOPES } } = state;
  if (!paid)
    return html`<p>Keys are made once the account has bought credits. <a href="/dashboard/buy">Buy a pack</a>, and
come back here.</p>`;
  if (request.session.verifiedAt === null)
    return html`<p>Keys are made once your e-mail address is confirmed. <a href="/forgot">Have a link mailed to you</a>.</p>`;
  if (active >= SIZES.activeKeys)
    return html`<p>The account has ${SIZES.activeKeys} active keys, and that is the most. Revoke one first.</p>`;
  if (!isRecent(request.session, request.now)) {
    const again = new URLSearchParams({ return_to: PATHS.keys, again: "1" });
    return html`<p>A key acts in your name until it is revoked. Before you make one,
<a href="/sign-in?${again.toString()}">type your password again</a>.</p>`;
  }
  const hint = "For you to know it by: where it is used.";
  const name = { name: "name", label: "Name", value: draft.name, autocomplete: "off", maxLength: NAME_LENGTH, hint };
  return form(
    request,
    PATHS.keys,
    // The id goes along, so that a form that is sent twice makes one key.
    html`${hidden({ id: newId("key") })}${input(name)}${scopeCheckboxes(SCOPES, draft.scopes)}${button("Create key")}`,
  );
}

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

/** The form to create a key, or the reason why there is none. */
export function keyForm(
  request: SignedInRequest,
  state: { paid: boolean; active: number; draft?: KeyDraft | undefined },
): Html {
  const { paid, active, draft = { name: "", scopes: SCOPES } } = state;
  if (!paid)
    return html`<p>You can create keys once you have bought credits. <a href="/dashboard/buy">Buy a pack</a>, then
come back here.</p>`;
  if (request.session.verifiedAt === null)
    return html`<p>You can create keys once your e-mail address is confirmed. <a href="/forgot">Request a link by e-mail</a>.</p>`;
  if (active >= SIZES.activeKeys)
    return html`<p>Your account has ${SIZES.activeKeys} active keys, which is the maximum. Revoke one first.</p>`;
  if (!isRecent(request.session, request.now)) {
    const again = new URLSearchParams({ return_to: PATHS.keys, again: "1" });
    return html`<p>A key acts in your name until it is revoked. Before you create one,
<a href="/sign-in?${again.toString()}">enter your password again</a>.</p>`;
  }
  const hint = "For example, where the key is used.";
  const name = { name: "name", label: "Name", value: draft.name, autocomplete: "off", maxLength: NAME_LENGTH, hint };
  return form(
    request,
    PATHS.keys,
    // The form carries the id, so that a form that is sent twice creates one key.
    html`${hidden({ id: newId("key") })}${input(name)}${scopeCheckboxes(SCOPES, draft.scopes)}${button("Create key")}`,
  );
}

import { button, form } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { PageRequest } from "../page-request.ts";

/** One thing of a short list, with what can be done to it; nothing of it is cut off on a phone. */
export function listItem(title: string | Html, facts: readonly Html[], action: Html): Html {
  const lines = facts.map((fact) => html`<div>${fact}</div>\n`);
  return html`<li><h3>${title}</h3>\n${lines}${action}</li>\n`;
}

export function itemList(list: readonly Html[]): Html {
  return html`<ul class="items">${list}</ul>`;
}

export interface ConfirmedAction {
  /** What opens it: "Revoke". */
  readonly label: string;
  /** What will come of it. */
  readonly warning: string | Html;
  readonly action: string;
  /** Of the button: says what it does, and to what. */
  readonly button: string;
}

/** Asks once more before something that cannot be taken back, on the same page and without script. */
export function withConfirmation(request: PageRequest, step: ConfirmedAction): Html {
  const { label, warning, action, button: text } = step;
  return html`<details><summary>${label}</summary>
<p>${warning}</p>${form(request, action, button(text, { look: "bad small" }))}</details>`;
}

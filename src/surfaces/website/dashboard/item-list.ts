import { button, form } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { PageRequest } from "../page-request.ts";

/** An item of a short list, with its facts and an action. Unlike a row of a table it fits the width of a phone. */
export function listItem(title: string | Html, facts: readonly Html[], action: Html): Html {
  const lines = facts.map((fact) => html`<div>${fact}</div>\n`);
  return html`<li><h3>${title}</h3>\n${lines}${action}</li>\n`;
}

export function itemList(list: readonly Html[]): Html {
  return html`<ul class="items">${list}</ul>`;
}

export interface ConfirmedAction {
  /** The text that opens the confirmation, such as "Revoke". */
  readonly label: string;
  /** What the action will do. */
  readonly warning: string | Html;
  readonly action: string;
  /** The label of the button: the action and its object. */
  readonly button: string;
}

/** An action that cannot be undone, which has to be confirmed on the same page, without a script. */
export function withConfirmation(request: PageRequest, step: ConfirmedAction): Html {
  const { label, warning, action, button: text } = step;
  return html`<details><summary>${label}</summary>
<p>${warning}</p>${form(request, action, button(text, { variant: "bad small" }))}</details>`;
}

import { type Html, html } from "../html.ts";
import { PATHS } from "./paths.ts";

/** The pages under the tab Orders. */
const LABELS = { orders: "All orders", ledger: "Credit history", buy: "Buy credits" } as const;

type OrderPage = keyof typeof LABELS;

/** @param current absent on the page of one order, which is not among them */
export function orderNav(current?: OrderPage): Html {
  const links = (Object.keys(LABELS) as OrderPage[]).map(
    (name) => html`<a href="${PATHS[name]}"${name === current ? html` aria-current="true"` : ""}>${LABELS[name]}</a>\n`,
  );
  return html`<nav class="filters" aria-label="Orders and credits">${links}</nav>`;
}

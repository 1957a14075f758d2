import { type Html, html } from "../html.ts";
import { PATHS } from "./dashboard-page.ts";

/** The pages under the tab of orders. */
export const MONEY = { orders: PATHS.orders, ledger: "/dashboard/ledger", buy: "/dashboard/buy" } as const;

const LABELS: Readonly<Record<keyof typeof MONEY, string>> = {
  orders: "All orders",
  ledger: "Where credits went",
  buy: "Buy credits",
};

/** @param here none: a page below them */
export function moneyWays(here?: keyof typeof MONEY): Html {
  const links = (Object.keys(MONEY) as (keyof typeof MONEY)[]).map(
    (name) => html`<a href="${MONEY[name]}"${name === here ? html` aria-current="true"` : ""}>${LABELS[name]}</a>\n`,
  );
  return html`<nav class="filters" aria-label="Orders and credits">${links}</nav>`;
}

import { balanceOf, entriesOf } from "../../../domain/ledger/ledger.ts";
import { type Html, html } from "../html.ts";
import type { SiteServices } from "../page-request.ts";
import { frame, PATHS, type Signed } from "./dashboard-page.ts";
import { counted, figure, when } from "./dates.ts";
import { MONEY, moneyWays } from "./order-nav.ts";
import { pageIn, pager, table } from "./table.ts";

const PER_PAGE = 50;

type Entry = Awaited<ReturnType<typeof entriesOf>>["rows"][number];

/** `/dashboard/ledger`: every movement of credits, newest first. */
export async function ledgerPage({ db }: SiteServices, visit: Signed): Promise<void> {
  const { accountId } = visit.session;
  const page = pageIn(visit, PER_PAGE);
  const [balance, { rows, hasMore }] = await Promise.all([balanceOf(db, accountId), entriesOf(db, accountId, page)]);
  const list =
    rows.length > 0
      ? html`${table("Movements of credits", HEADS, rows.map(cellsOf))}${pager(MONEY.ledger, {}, page.number, hasMore)}`
      : page.number > 1
        ? html`<p>There is nothing before that. <a href="${MONEY.ledger}">Back to the newest</a></p>`
        : html`<p>No credits have moved yet. <a href="${MONEY.buy}">Buy a pack</a>, and what becomes of it is listed here.</p>`;
  const body = html`${moneyWays("ledger")}
<p>The balance is ${counted(balance, "credit")}: the sum of everything listed here.</p>
${list}`;
  visit.show(frame(visit, { tab: "orders", title: "Where credits went", body }));
}

const HEADS = ["What", "Credits", "Balance", "When"];

function cellsOf({ kind, description, credits, balanceAfter, projectId, orderId, at }: Entry): (string | Html)[] {
  const about =
    projectId !== null
      ? html` <a href="${PATHS.projects}/${projectId}">project</a>`
      : orderId !== null
        ? html` <a href="${PATHS.orders}/${orderId}">order</a>`
        : "";
  return [
    html`<div class="name">${KINDS[kind] ?? kind}${about}<br>
<span class="soft">${description}</span></div>`,
    html`<span class="number">${signed(credits)}</span>`,
    html`<span class="number">${figure(balanceAfter)}</span>`,
    when(at),
  ];
}

const KINDS: Readonly<Record<string, string>> = {
  purchase: "Bought",
  spend: "Spent",
  return: "Came back",
  adjustment: "Adjusted",
};

/** With a sign that reads as one, aloud too. */
function signed(credits: number): string {
  return credits > 0 ? `+${figure(credits)}` : `\u2212${figure(-credits)}`;
}

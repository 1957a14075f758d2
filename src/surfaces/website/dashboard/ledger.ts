import { balanceOf, entriesOf } from "../../../domain/ledger/ledger.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.ts";
import { counted, figure, timeElement } from "./dates.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { pagination, requestedPage, table } from "./table.ts";

const PER_PAGE = 50;

type Entry = Awaited<ReturnType<typeof entriesOf>>["rows"][number];

/** `/dashboard/ledger`: every movement of credits, newest first. */
export async function ledgerPage({ db }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { accountId } = request.session;
  const page = requestedPage(request, PER_PAGE);
  const [balance, { rows, hasMore }] = await Promise.all([balanceOf(db, accountId), entriesOf(db, accountId, page)]);
  const list =
    rows.length > 0
      ? html`${table("Movements of credits", HEADS, rows.map(cellsOf))}${pagination(PATHS.ledger, {}, page.number, hasMore)}`
      : page.number > 1
        ? html`<p>There is nothing before that. <a href="${PATHS.ledger}">Back to the newest</a></p>`
        : html`<p>No credits have moved yet. <a href="${PATHS.buy}">Buy a pack</a>, and what becomes of it is listed here.</p>`;
  const body = html`${orderNav("ledger")}
<p>The balance is ${counted(balance, "credit")}: the sum of everything listed here.</p>
${list}`;
  request.show(dashboardPage(request, { tab: "orders", title: "Where credits went", body }));
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
    timeElement(at),
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

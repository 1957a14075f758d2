import { balanceOf, entriesOf } from "../../../domain/ledger/ledger.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { timeElement } from "./dates.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { pagination, requestedPage, table } from "./table.ts";

const PER_PAGE = 50;

type Entry = Awaited<ReturnType<typeof entriesOf>>["rows"][number];

/** `/dashboard/ledger`: every change of the balance, newest first. */
export async function ledgerPage({ db }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { accountId } = request.session;
  const page = requestedPage(request, PER_PAGE);
  const [balance, { rows, hasMore }] = await Promise.all([balanceOf(db, accountId), entriesOf(db, accountId, page)]);
  const list =
    rows.length > 0
      ? html`${table("Credit history", HEADS, rows.map(cellsOf))}${pagination(PATHS.ledger, {}, page.number, hasMore)}`
      : page.number > 1
        ? html`<p>There are no more entries. <a href="${PATHS.ledger}">Back to the first page</a></p>`
        : html`<p>Nothing here yet. <a href="${PATHS.buy}">Buy a pack of credits</a>, and every change of your balance is listed here.</p>`;
  const body = html`${orderNav("ledger")}
<p>Your balance is ${formatCount(balance, "credit")}: the sum of all entries.</p>
${list}`;
  request.show(dashboardPage({ section: "orders", title: "Credit history", body }));
}

const HEADS = ["Entry", "Credits", "Balance", "Time"];

function cellsOf({ kind, description, credits, balanceAfter, projectId, orderId, at }: Entry): (string | Html)[] {
  const about =
    projectId !== null
      ? html`, <a href="${PATHS.projects}/${projectId}">project</a>`
      : orderId !== null
        ? html`, <a href="${PATHS.orders}/${orderId}">order</a>`
        : "";
  return [
    html`<div class="name">${KINDS[kind] ?? kind}${about}<br>
<span class="soft">${description}</span></div>`,
    html`<span class="number">${signed(credits)}</span>`,
    html`<span class="number">${formatNumber(balanceAfter)}</span>`,
    timeElement(at),
  ];
}

const KINDS: Readonly<Record<string, string>> = {
  purchase: "Credits bought",
  spend: "Credits spent",
  return: "Credits returned",
  adjustment: "Adjustment",
};

/** With a plus or a minus sign (U+2212, which screen readers read as minus). */
function signed(credits: number): string {
  return credits > 0 ? `+${formatNumber(credits)}` : `\u2212${formatNumber(-credits)}`;
}

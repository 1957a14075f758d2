import { PACKS, type Pack, POPULAR } from "../../domain/payments/orders/prices.ts";
import { formatDollars, formatNumber } from "../../platform/format.ts";
import { type Html, html } from "./html.ts";

/**
 * The packs side by side.
 * @param action the link or button of a card
 * @param chosen id of the pack that is marked as selected; any other text marks none
 */
export function packCards(action: (pack: Pack, isChosen: boolean) => Html, chosen = ""): Html {
  const cards = PACKS.map((pack) => packCard(pack, pack.id === chosen, action(pack, pack.id === chosen)));
  return html`<div class="cards packs">${cards}</div>`;
}

function packCard({ id, name, credits, amountCents, perLink }: Pack, isChosen: boolean, action: Html): Html {
  const mark = isChosen ? "selected" : id === POPULAR ? "popular" : "";
  return html`<div class="card${isChosen ? " chosen" : ""}"><h2>${name}</h2>
<div><strong>${formatDollars(amountCents)}</strong>
${formatNumber(credits)} credits<br>
<span class="soft">${perLink} each</span></div>
${mark ? html`<span class="mark">${mark}</span>\n` : ""}${action}</div>\n`;
}

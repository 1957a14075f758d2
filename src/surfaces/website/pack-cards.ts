import { PACKS, type Pack, POPULAR } from "../../domain/payments/orders/prices.ts";
import { figure } from "./dashboard/dates.ts";
import { type Html, html } from "./html.ts";
import { dollars } from "./money.ts";

/**
 * The packs side by side.
 * @param way what can be done with each
 * @param chosen id of the one that was chosen before; any other text: none
 */
export function packCards(way: (pack: Pack, isChosen: boolean) => Html, chosen = ""): Html {
  const cards = PACKS.map((pack) => packCard(pack, pack.id === chosen, way(pack, pack.id === chosen)));
  return html`<div class="cards packs">${cards}</div>`;
}

function packCard({ id, name, credits, amountCents, perLink }: Pack, isChosen: boolean, way: Html): Html {
  const mark = isChosen ? "your choice" : id === POPULAR ? "popular" : "";
  return html`<div class="card${isChosen ? " chosen" : ""}"><h2>${name}</h2>
<div><strong>${dollars(amountCents)}</strong>
${figure(credits)} credits<br>
<span class="soft">${perLink} each</span></div>
${mark ? html`<span class="mark">${mark}</span>\n` : ""}${way}</div>\n`;
}

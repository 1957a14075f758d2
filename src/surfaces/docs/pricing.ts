import { POPULAR } from "../../domain/payments/orders/packs.ts";
import type { Config } from "../../platform/config/config.ts";
import { formatDollars, formatNumber } from "../../platform/format.ts";
import { directValues } from "./direct-payment.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { pageOf } from "./page.ts";

export function pricingDocument(config: Config): Document {
  return pageOf("/pricing", config, { packs: packTable(config), ...directValues(config) });
}

/** The packs, each with a link to buy it. */
export function packTable({ cards, packs }: Pick<Config, "cards" | "packs">): string {
  const isSold = cards !== "none";
  return table(
    ["pack", "credits", "price", "per credit"],
    packs.map(({ id, name, credits, amountCents, perLink }) => [
      `${isSold ? `**[Buy ${name}](/dashboard/buy?pack=${id})**` : name}${id === POPULAR ? " popular" : ""}`,
      formatNumber(credits),
      formatDollars(amountCents),
      perLink,
    ]),
  );
}

import type { Tx } from "../../../../db/engine.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import type { OrderRow } from "../orders/orders.ts";
import type { Pack } from "../orders/prices.ts";
import type { Direct } from "./direct-payments.ts";
import { NotAccepted } from "./protocol/not-accepted.ts";
import { priceHeaders } from "./protocol/price.ts";
import { REASONS } from "./protocol/reasons.ts";
import { termsOf } from "./protocol/terms.ts";
import { priceFields } from "./quote.ts";
import { credit } from "./settlement/credit.ts";
import { askedFor, type DirectParts, type Works } from "./settlement/deps.ts";
import { paymentResponse, settledAs } from "./settlement/payment-response.ts";
import type { Purchase, Settled } from "./settlement/purchase.ts";
import { reconcile } from "./settlement/reconcile.ts";
import { settle } from "./settlement/settle.ts";
import { PATIENCE } from "./settlement/timeouts.ts";

export type { DirectParts };

/** Direct payment by x402 and the scheme `Payment`, over any chain and any facilitator. */
export class DirectPayments implements Direct {
  readonly #works: Works;

  constructor(parts: DirectParts) {
    const terms = termsOf(parts.settings, parts.config.siteUrl);
    this.#works = { patience: PATIENCE, ...parts, terms };
  }

  async price(pack: Pack, reason = "Payment required"): Promise<Readonly<Record<string, string>>> {
    return priceHeaders(await askedFor(this.#works, pack), pack, reason);
  }

  async settle(purchase: Purchase): Promise<Settled> {
    const { db, clock } = this.#works;
    try {
      const row = await settle(this.#works, purchase);
      return await settledAs(db, row, purchase.payment.scheme, clock.now());
    } catch (thrown) {
      throw thrown instanceof NotAccepted ? await this.#refusal(purchase.pack, thrown) : thrown;
    }
  }

  credit(tx: Tx, { key }: Settled): Promise<OrderRow> {
    return credit(tx, key, this.#works.clock.now());
  }

  reconcile(): Promise<void> {
    return reconcile(this.#works);
  }

  async #refusal(pack: Pack, { reason, payer }: NotAccepted): Promise<Refusal> {
    const { settings, terms } = this.#works;
    const { network } = terms;
    const said = { success: false, errorReason: reason, transaction: "", network } as const;
    const headers = { ...(await this.price(pack, reason)), ...(payer ? paymentResponse({ ...said, payer }) : {}) };
    const message = `The payment was not accepted. ${REASONS[reason]} Read the price again and sign a new payment.`;
    return new Refusal("payment_invalid", message, { reason, ...priceFields(settings, pack) }, headers);
  }
}

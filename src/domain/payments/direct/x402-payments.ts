import type { Tx } from "../../../../db/engine.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import type { Pack } from "../orders/packs.ts";
import type { DirectPayments } from "./direct-payments.ts";
import { NotAccepted } from "./protocol/not-accepted.ts";
import { priceHeaders } from "./protocol/price.ts";
import { REASONS } from "./protocol/reasons.ts";
import { termsOf } from "./protocol/terms.ts";
import { priceFields } from "./quote.ts";
import { Checkpoint } from "./settlement/checkpoint.ts";
import { type CreditedPayment, creditPayment } from "./settlement/credit.ts";
import { type DirectDeps, expectedPayment, type SettlementDeps } from "./settlement/deps.ts";
import { describeSettled, paymentResponse } from "./settlement/payment-response.ts";
import type { Purchase, SettledPayment } from "./settlement/purchase.ts";
import { reconcileDirect } from "./settlement/reconcile.ts";
import { settlePayment } from "./settlement/settle.ts";
import { TIMEOUTS } from "./settlement/timeouts.ts";

export type { DirectDeps };

/** Direct payment by x402 and the scheme `Payment`, over any chain and any facilitator. */
export class X402Payments implements DirectPayments {
  readonly #deps: SettlementDeps;

  constructor(deps: DirectDeps) {
    const terms = termsOf(deps.settings, deps.config.siteUrl);
    this.#deps = { timeouts: TIMEOUTS, ...deps, terms, checkpoint: new Checkpoint({ ...deps, terms }) };
  }

  async price(pack: Pack, reason = "Payment required"): Promise<Readonly<Record<string, string>>> {
    return priceHeaders(await expectedPayment(this.#deps, pack), pack, reason);
  }

  async settle(purchase: Purchase): Promise<SettledPayment> {
    const { db, clock } = this.#deps;
    try {
      const row = await settlePayment(this.#deps, purchase);
      return await describeSettled(db, row, purchase.payment.scheme, clock.now());
    } catch (thrown) {
      throw thrown instanceof NotAccepted ? await this.#refusal(purchase.pack, thrown) : thrown;
    }
  }

  credit(tx: Tx, { key }: SettledPayment): Promise<CreditedPayment> {
    return creditPayment(tx, key, this.#deps.clock.now());
  }

  reconcile(): Promise<void> {
    return reconcileDirect(this.#deps);
  }

  async #refusal(pack: Pack, { reason, payer }: NotAccepted): Promise<Refusal> {
    const { settings, terms } = this.#deps;
    const { network } = terms;
    const said = { success: false, errorReason: reason, transaction: "", network } as const;
    const headers = { ...(await this.price(pack, reason)), ...(payer ? paymentResponse({ ...said, payer }) : {}) };
    const message = `The payment was not accepted. ${REASONS[reason]} Read the price again and sign a new payment.`;
    return new Refusal("payment_invalid", message, { reason, ...priceFields(settings, pack) }, headers);
  }
}

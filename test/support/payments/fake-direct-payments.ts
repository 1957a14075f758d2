import type { DirectPayments } from "../../../src/domain/payments/direct/direct-payments.ts";
import type { Purchase } from "../../../src/domain/payments/direct/settlement/purchase.ts";
import { openOrder } from "../../../src/domain/payments/orders/orders.ts";
import { baseUnitsOf, type Pack } from "../../../src/domain/payments/orders/packs.ts";
import { settleOrder } from "../../../src/domain/payments/orders/settle.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";

/** Settings of direct payment, of servers that do not exist. */
export const DIRECT = {
  network: "eip155:31337",
  chainId: 31337,
  asset: `0x${"a".repeat(40)}`,
  payTo: `0x${"b".repeat(40)}`,
  rpcUrls: ["http://127.0.0.1:1"],
  facilitatorUrl: "http://127.0.0.1:1",
  confirmations: 1,
};

/** A fake payment: its nonce, or the reason for which it will be refused. */
export interface Signed {
  readonly nonce?: string;
  readonly refuse?: string;
}

/** Direct payments without a chain, for tests of surfaces: every payment with a nonce succeeds. */
export class FakeDirectPayments implements DirectPayments {
  /** All payments that were presented, oldest first. */
  readonly presented: Purchase[] = [];
  readonly #orders = new Map<string, string>();
  readonly #waiting = new Map<string, Purchase>();
  readonly #now: () => number;

  /** @param now real time at which orders are made */
  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  async price(pack: Pack, reason?: string) {
    const required = priceOf(pack, reason);
    return { "PAYMENT-REQUIRED": base64(required), "WWW-Authenticate": CHALLENGE };
  }

  async settle(purchase: Purchase) {
    this.presented.push(purchase);
    const { payment, pack } = purchase;
    const { nonce, refuse: reason = "malformed" } = (decoded(payment.text) ?? {}) as Signed;
    if (nonce === undefined) {
      const refused = { success: false, errorReason: reason, transaction: "", network: DIRECT.network };
      const headers = { ...(await this.price(pack, reason)), "PAYMENT-RESPONSE": base64(refused) };
      throw new Refusal("payment_invalid", "The payment was not accepted.", { reason }, headers);
    }
    this.#waiting.set(nonce, purchase);
    const receipt = payment.scheme === "payment" ? { "Payment-Receipt": base64({ status: "success" }) } : {};
    const headers = { "PAYMENT-RESPONSE": base64(settlementOf(nonce)), ...receipt };
    return { key: nonce, headers, isReplay: this.#orders.has(nonce) };
  }

  credit: DirectPayments["credit"] = async (tx, { key }) => {
    const { orders } = tx.t;
    const known = (await tx.q.select().from(orders)).find(({ id }) => id === this.#orders.get(key));
    if (known) return { order: known, isReplay: true };
    const { accountId, pack } = this.#waiting.get(key)!;
    const transaction = {
      network: DIRECT.network,
      hash: key,
      payer: DIRECT.payTo,
      amount: baseUnitsOf(pack),
      currency: DIRECT.asset,
    };
    const row = await openOrder(tx, { accountId, pack, method: "evm", now: this.#now(), transaction });
    this.#orders.set(key, row.id);
    const money = { arrived: true, refundedCents: 0, contested: false };
    return { order: await settleOrder(tx, row, money, { source: row.id, now: this.#now() }), isReplay: false };
  };

  async reconcile() {}
}

/** A value for `PAYMENT-SIGNATURE`. */
export function signature(signed: Signed): string {
  return base64(signed);
}

export function priceOf(pack: Pack, error = "Payment required") {
  const { network, asset, payTo } = DIRECT;
  const accepts = [{ scheme: "exact", network, amount: baseUnitsOf(pack), asset, payTo, maxTimeoutSeconds: 300 }];
  return { x402Version: 2, error, resource: { url: "http://beckon.test/api/v1/credits/x402" }, accepts };
}

export function settlementOf(transaction: string) {
  return { success: true, transaction, network: DIRECT.network, payer: DIRECT.payTo };
}

const CHALLENGE = 'Payment id="1", realm="beckon.test", method="evm", intent="charge", request="e30"';

function decoded(text: string): unknown {
  return JSON.parse(Buffer.from(text, "base64").toString());
}

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}

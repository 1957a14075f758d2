import type { Kit } from "../dialect.ts";

/** Orders, and what is known of the money behind them. Times are real. */
export function paymentsTables(k: Kit) {
  const orders = k.table(
    "orders",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      pack: k.text("pack").notNull(),
      credits: k.big("credits").notNull(),
      amountCents: k.int("amount_cents").notNull(),
      currency: k.text("currency").notNull(),
      method: k.text("method").notNull(),
      status: k.text("status").notNull(),
      checkoutUrl: k.text("checkout_url"),
      /** JSON of {network, hash, payer, amount, currency} for a direct payment. */
      transaction: k.text("transaction"),
      createdAt: k.big("created_at").notNull(),
      expiresAt: k.big("expires_at"),
      /** When it was paid; unchanged by later refunds and disputes. */
      paidAt: k.big("paid_at"),
      /** How many of its credits refunds and disputes have taken back. */
      takenBack: k.big("taken_back").notNull().default(0),
      /** The checkout session of the card processor. */
      reference: k.text("reference"),
      /** Who made it, as in the ledger. */
      credential: k.text("credential"),
      /** The number of its receipt within the account, from 1; set when it is paid. */
      receiptNo: k.int("receipt_no"),
      /** The tax that its price contains, where the processor has said it. */
      taxCents: k.int("tax_cents"),
    },
    (t) => [
      k.unique("orders_receipt").on(t.accountId, t.receiptNo),
      k.index("orders_account").on(t.accountId, t.createdAt),
      k.index("orders_paid").on(t.accountId, t.status),
      k.index("orders_open").on(t.status, t.expiresAt),
      k.unique("orders_reference").on(t.reference),
    ],
  );

  /** What is known of a card payment. Events come in any order, so that a payment may be known before its order. */
  const cardPayments = k.table(
    "card_payments",
    {
      /** The processor's PaymentIntent. */
      id: k.text("id").primaryKey(),
      orderId: k.text("order_id"),
      /** What its refunds came to together when the processor last said so, and when that was by the processor's clock. */
      refundedCents: k.int("refunded_cents").notNull(),
      refundedAt: k.big("refunded_at").notNull().default(0),
      /** When the processor last said that the money came, and that it did not, by the processor's clock; 0: it never has. */
      arrivedAt: k.big("arrived_at").notNull().default(0),
      failedAt: k.big("failed_at").notNull().default(0),
    },
    (t) => [k.index("card_payments_order").on(t.orderId)],
  );

  /** Refunds that the processor has named one by one. */
  const cardRefunds = k.table(
    "card_refunds",
    {
      /** The processor's Refund. */
      id: k.text("id").primaryKey(),
      paymentId: k.text("payment_id").notNull(),
      cents: k.int("cents").notNull(),
      /** When it failed or was cancelled, by the processor's clock, and when that was heard; null: it stands. */
      failedAt: k.big("failed_at"),
      failureHeardAt: k.big("failure_heard_at"),
    },
    (t) => [k.index("card_refunds_payment").on(t.paymentId)],
  );

  const cardDisputes = k.table(
    "card_disputes",
    {
      /** The processor's Dispute. */
      id: k.text("id").primaryKey(),
      paymentId: k.text("payment_id").notNull(),
      /** open, won or lost */
      state: k.text("state").notNull(),
      /** When the processor said so, by its clock. */
      saidAt: k.big("said_at").notNull().default(0),
    },
    (t) => [k.index("card_disputes_payment").on(t.paymentId)],
  );

  /** Every signed event that was accepted, once. */
  const cardEvents = k.table(
    "card_events",
    {
      id: k.text("id").primaryKey(),
      type: k.text("type").notNull(),
      orderId: k.text("order_id"),
      /** Why it had no effect although it should have, for the operator. */
      problem: k.text("problem"),
      at: k.big("at").notNull(),
    },
    (t) => [k.index("card_events_order").on(t.orderId)],
  );

  /** The journal of direct payments: a signed payment is written before it is submitted. */
  const directPayments = k.table(
    "direct_payments",
    {
      /** network/asset/from/nonce in lower case: what the token itself accepts once. */
      key: k.text("key").primaryKey(),
      accountId: k.text("account_id").notNull(),
      pack: k.text("pack").notNull(),
      credits: k.big("credits").notNull(),
      amountCents: k.int("amount_cents").notNull(),
      /** Base units of the token. */
      amount: k.text("amount").notNull(),
      network: k.text("network").notNull(),
      asset: k.text("asset").notNull(),
      payer: k.text("payer").notNull(),
      payTo: k.text("pay_to").notNull(),
      nonce: k.text("nonce").notNull(),
      /** Seconds since 1970: the chain accepts it only before this time. */
      validBefore: k.big("valid_before").notNull(),
      /** claimed, submitted, refused, expired, void, credited or final (src/domain/payments/direct/journal/journal.ts) */
      state: k.text("state").notNull(),
      /** The caller that works on it, and until when; null if nobody does. */
      owner: k.text("owner"),
      lockedUntil: k.big("locked_until").notNull(),
      /** Height of the chain before it was submitted; its transfer is in a later block. */
      sinceBlock: k.big("since_block"),
      /** Where its transfer is: the transaction, its block, and `hash/log`, which pays once. */
      hash: k.text("hash"),
      block: k.big("block"),
      transfer: k.text("transfer"),
      /** Height of the final block at which the transfer of a credited payment was first found to be missing. */
      missingSince: k.big("missing_since"),
      orderId: k.text("order_id"),
      /** Who presented it, as in the ledger. */
      credential: k.text("credential"),
      createdAt: k.big("created_at").notNull(),
    },
    (t) => [
      k.index("direct_payments_state").on(t.state, t.createdAt),
      k.unique("direct_payments_transfer").on(t.transfer),
      k.unique("direct_payments_order").on(t.orderId),
    ],
  );

  return { orders, cardPayments, cardRefunds, cardDisputes, cardEvents, directPayments };
}

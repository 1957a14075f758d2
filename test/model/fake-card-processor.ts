import type Stripe from "stripe";
import type { CardProcessor, CheckoutDraft } from "../../src/domain/payments/cards/card-processor.ts";
import { sessionEvents } from "../../src/domain/payments/cards/stripe/lookup.ts";
import { readSigned, sign } from "../../src/domain/payments/cards/stripe/signature.ts";
import { CURRENCY } from "../../src/domain/payments/orders/packs.ts";
import { SECOND } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { TestClock } from "../support/service/clock.ts";

/** A payment page and its payment, as the processor knows them. */
export interface Page {
  readonly id: string;
  readonly payment: string;
  readonly orderId: string;
  readonly amountCents: number;
  readonly expiresAt: number;
  state: "open" | "awaited" | "paid" | "bounced" | "expired";
  refundedCents: number;
  readonly disputes: { id: string; state: "needs_response" | "won" | "lost" }[];
}

/** What happens next to a page in each state: its payer acts, or the bank, or the seller and the bank. */
export interface CardActs {
  readonly open: "pay" | "decline" | "pay later";
  readonly awaited: "arrive" | "bounce";
  readonly paid: "dispute" | "win" | "lose" | { readonly refund: number };
}

/** An event that the webhook has not acknowledged yet. */
export interface PendingEvent {
  readonly body: Buffer;
  /** Only events about a page: Stripe repeats events about payments until they are acknowledged. */
  readonly mayBeLost: boolean;
}

const SECRET = "whsec_model";

/** A card processor in memory. Its state is the truth that orders are compared with, whether or not its events arrive. */
export class FakeCardProcessor {
  readonly pages: Page[] = [];
  /** Oldest first. */
  readonly pendingEvents: PendingEvent[] = [];
  isAway = false;
  readonly #clock: TestClock;
  #serial = 0;

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  /** The processor as one process of Beckon uses it. @param crashIfDue called where that process can crash */
  cards(crashIfDue: (place: "after look") => void): CardProcessor {
    const ifReachable = <T>(answer: () => T | Promise<T>): T | Promise<T> => {
      if (this.isAway) throw new Refusal("unavailable", "The model's processor is away.");
      return answer();
    };
    return {
      method: "stripe",
      isLive: false,
      origin: null,
      open: async (draft) => ifReachable(() => this.#open(draft)),
      read: (body, signature) => readSigned(body, signature, SECRET, this.#clock.now()),
      lookUp: async (reference) => {
        const events = await ifReachable(() => sessionEvents(this.#api, reference, this.#clock.now()));
        crashIfDue("after look");
        return events;
      },
    };
  }

  /** The signature header of an event that is sent now. */
  signature({ body }: PendingEvent): string {
    return sign(body, SECRET, this.#clock.now());
  }

  /** Does what comes next for a page, and queues the event that tells of it. */
  act(page: Page, { open, awaited, paid }: CardActs): void {
    if (page.state === "open" && page.expiresAt <= this.#clock.now()) this.#expire(page);
    else if (page.state === "open" && open === "decline") this.#write("payment_intent.payment_failed", {}, true);
    else if (page.state === "open") this.#complete(page, open === "pay" ? "paid" : "awaited");
    else if (page.state === "awaited" && awaited === "arrive") this.#end(page, "paid", "succeeded");
    else if (page.state === "awaited") this.#end(page, "bounced", "failed");
    else if (page.state !== "paid") return;
    else if (paid === "dispute") this.#dispute(page);
    else if (typeof paid === "object") this.#refund(page, paid.refund);
    else this.#decide(page, paid);
  }

  /** Closes every page that has expired. */
  expireAll(): void {
    for (const page of this.pages) if (page.state === "open" && page.expiresAt <= this.#clock.now()) this.#expire(page);
  }

  #open({ orderId, pack, expiresAt }: CheckoutDraft) {
    const number = this.pages.length;
    const id = `cs_${number}`;
    const page = { id, payment: `pi_${number}`, orderId, amountCents: pack.amountCents, expiresAt } as const;
    this.pages.push({ ...page, state: "open", refundedCents: 0, disputes: [] });
    return { reference: id, url: `https://pay.test/${id}` };
  }

  #expire(page: Page): void {
    page.state = "expired";
    this.#write("checkout.session.expired", sessionOf(page), true);
  }

  #complete(page: Page, state: "paid" | "awaited"): void {
    page.state = state;
    this.#write("checkout.session.completed", sessionOf(page), true);
  }

  #end(page: Page, state: "paid" | "bounced", word: "succeeded" | "failed"): void {
    page.state = state;
    this.#write(`checkout.session.async_payment_${word}`, sessionOf(page), true);
  }

  #refund(page: Page, cents: number): void {
    if (page.refundedCents === page.amountCents) return;
    page.refundedCents = Math.min(page.amountCents, page.refundedCents + cents);
    this.#write("charge.refunded", chargeOf(page), false);
  }

  #dispute(page: Page): void {
    if (isContested(page)) return;
    const dispute = { id: `dp_${page.payment}_${page.disputes.length}`, state: "needs_response" as const };
    page.disputes.push(dispute);
    this.#write("charge.dispute.created", disputeOf(page, dispute), false);
  }

  #decide(page: Page, act: "win" | "lose"): void {
    const open = page.disputes.find(({ state }) => state === "needs_response");
    if (!open) return;
    open.state = act === "win" ? "won" : "lost";
    this.#write("charge.dispute.closed", disputeOf(page, open), false);
  }

  #write(type: string, object: object, mayBeLost: boolean): void {
    const id = `evt_${this.#serial++}`;
    const created = Math.floor(this.#clock.now() / SECOND);
    const event = { id, object: "event", type, livemode: false, created, data: { object } };
    this.pendingEvents.push({ body: Buffer.from(JSON.stringify(event)), mayBeLost });
  }

  /** The part of Stripe's API that is called for pages. */
  readonly #api = {
    checkout: {
      sessions: {
        retrieve: async (id: string) => {
          const page = this.pages.find((one) => one.id === id)!;
          const status = page.state === "bounced" ? "requires_payment_method" : "processing";
          const charge = page.state === "paid" ? chargeOf(page) : null;
          const payment = page.state === "open" ? null : { id: page.payment, status, latest_charge: charge };
          return { ...sessionOf(page), payment_intent: payment };
        },
      },
    },
    disputes: {
      list: async ({ charge }: { charge: string }) => {
        const page = this.pages.find((one) => chargeOf(one).id === charge)!;
        return { data: page.disputes.map((dispute) => disputeOf(page, dispute)) };
      },
    },
  } as unknown as Stripe;
}

/** Whether a dispute is open or lost: the bank has taken the money back. */
export function isContested({ disputes }: Page): boolean {
  return disputes.some(({ state }) => state !== "won");
}

const STATUSES = { open: "open", awaited: "complete", paid: "complete", bounced: "complete", expired: "expired" };

function sessionOf(page: Page) {
  return {
    id: page.id,
    object: "checkout.session",
    livemode: false,
    client_reference_id: page.orderId,
    metadata: { order_id: page.orderId },
    payment_intent: page.state === "expired" ? null : page.payment,
    payment_status: page.state === "paid" ? "paid" : "unpaid",
    status: STATUSES[page.state],
    amount_total: page.amountCents,
    currency: CURRENCY,
  };
}

function chargeOf({ payment, amountCents, refundedCents, disputes }: Page) {
  return {
    id: `ch_${payment}`,
    object: "charge",
    payment_intent: payment,
    amount: amountCents,
    amount_refunded: refundedCents,
    disputed: disputes.length > 0,
    currency: CURRENCY,
  };
}

function disputeOf({ payment }: Page, { id, state }: Page["disputes"][number]) {
  return { id, object: "dispute", payment_intent: payment, status: state };
}

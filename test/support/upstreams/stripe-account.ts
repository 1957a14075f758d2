import { createHmac, randomBytes } from "node:crypto";
import {
  chargeObject,
  disputeObject,
  type Payment,
  refundObject,
  type Session,
  sessionObject,
} from "./stripe-objects.ts";

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  readonly data: { readonly object: Record<string, unknown> };
}

/** Where events go, and what signs them. */
export interface Webhook {
  readonly url: string;
  /** The address that Stripe lists, where the service is reached at another one; default: `url`. */
  readonly listedAs?: string;
  /** Default: enabled. */
  readonly status?: "enabled" | "disabled";
  readonly secret: string;
}

/** The Stripe account of the world: checkout sessions, what payers and banks do with them, and events. */
export class StripeAccount {
  readonly sessions = new Map<string, Session>();
  /** Every event, oldest first, whether it was delivered or not. */
  readonly events: StripeEvent[] = [];
  /** Null: no event is delivered unless a test does so. */
  webhook: Webhook | null = null;
  readonly #seconds: () => number;

  /** @param seconds the time since 1970 */
  constructor(seconds: () => number) {
    this.#seconds = seconds;
  }

  open(draft: Omit<Session, "status" | "paymentStatus" | "payment" | "id" | "url">, page: string): Session {
    const id = `cs_test_${token(29)}`;
    const state = { status: "open", paymentStatus: "unpaid", payment: null } as const;
    const session: Session = { ...draft, ...state, id, url: `${page}/${id}` };
    this.sessions.set(id, session);
    return session;
  }

  seconds(): number {
    return this.#seconds();
  }

  /** Pays by a card that is accepted. */
  pay(id: string): StripeEvent {
    return this.#complete(id, "succeeded", "paid");
  }

  /** Pays by a method that is settled later, or fails, such as a direct debit. */
  payLater(id: string): StripeEvent {
    return this.#complete(id, "processing", "unpaid");
  }

  arrive(id: string): StripeEvent {
    const session = this.#at(id, "complete");
    session.payment!.status = "succeeded";
    session.paymentStatus = "paid";
    return this.#tell("checkout.session.async_payment_succeeded", sessionObject(session));
  }

  bounce(id: string): StripeEvent {
    const session = this.#at(id, "complete");
    session.payment!.status = "requires_payment_method";
    return this.#tell("checkout.session.async_payment_failed", sessionObject(session));
  }

  expire(id: string): StripeEvent {
    const session = this.#at(id, "open");
    session.status = "expired";
    return this.#tell("checkout.session.expired", sessionObject(session));
  }

  /** @param cents amount of this refund; earlier refunds are added to it */
  refund(id: string, cents: number): StripeEvent {
    const { session, payment } = this.#paid(id);
    payment.refunded += cents;
    payment.refunds.push({ id: `re_${token(24)}`, cents, status: "succeeded" });
    return this.#tell("charge.refunded", chargeObject(session, payment));
  }

  /** The newest refund comes back, as where the card was closed. */
  failRefund(id: string): StripeEvent {
    const { session, payment } = this.#paid(id);
    const refund = payment.refunds.findLast(({ status }) => status === "succeeded");
    if (!refund) throw new Error("no refund stands");
    refund.status = "failed";
    payment.refunded -= refund.cents;
    return this.#tell("refund.failed", refundObject(session, payment, refund));
  }

  /** Opens a dispute, or takes it to another status. */
  dispute(id: string, status = "needs_response", what = "created"): StripeEvent {
    const { session, payment } = this.#paid(id);
    payment.dispute ??= { id: `dp_${token(24)}`, status };
    payment.dispute.status = status;
    return this.#tell(`charge.dispute.${what}`, disputeObject(session, payment));
  }

  /** Body and header of a delivery. */
  sign(event: StripeEvent, { secret } = this.webhook!): { body: string; signature: string } {
    const body = JSON.stringify(event);
    const time = this.#seconds();
    const hash = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    return { body, signature: `t=${time},v1=${hash}` };
  }

  /** Sends an event to the webhook. @returns the status that it was answered with */
  async deliver(event: StripeEvent, to = this.webhook!): Promise<number> {
    const { body, signature } = this.sign(event, to);
    const headers = { "Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature };
    const response = await fetch(to.url, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  #complete(id: string, status: Payment["status"], paymentStatus: Session["paymentStatus"]): StripeEvent {
    const session = this.#at(id, "open");
    const payment = {
      id: `pi_${token(24)}`,
      charge: `ch_${token(24)}`,
      status,
      refunded: 0,
      refunds: [],
      dispute: null,
    };
    Object.assign(session, { status: "complete", paymentStatus, payment });
    return this.#tell("checkout.session.completed", sessionObject(session));
  }

  #at(id: string, status: Session["status"]): Session {
    const session = this.sessions.get(id);
    if (session?.status !== status) throw new Error(`the session is ${session?.status}, not ${status}`);
    return session;
  }

  #paid(id: string): { session: Session; payment: Payment } {
    const session = this.#at(id, "complete");
    if (session.payment?.status !== "succeeded") throw new Error("the session is not paid");
    return { session, payment: session.payment };
  }

  #tell(type: string, object: Record<string, unknown>): StripeEvent {
    const event = {
      id: `evt_${token(24)}`,
      object: "event",
      api_version: "2026-10-28.endive",
      created: this.#seconds(),
      livemode: object.livemode === true,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object },
    };
    this.events.push(event);
    return event;
  }
}

function token(length: number): string {
  return randomBytes(length).toString("hex").slice(0, length);
}

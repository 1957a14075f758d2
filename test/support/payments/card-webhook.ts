import { afterAll, expect } from "vitest";
import type { OrderRow } from "../../../src/domain/payments/orders/orders.ts";
import { SECOND } from "../../../src/platform/clock.ts";
import { type TestServiceOptions, testService } from "../service/service.ts";
import { openCardOrder, signatureOf, type WireEvent } from "./card-events.ts";

export const SECRET = "whsec_secret_of_the_tests";

export interface Posted {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly json: any;
  readonly headers: Headers;
}

/** A service that takes cards by Stripe, whose API is unreachable: it learns of payments only from webhook events. */
export async function cardWebhook(parts: TestServiceOptions = {}, isLive = false) {
  const stripe = { secretKey: "sk_test_none", webhookSecret: SECRET, isLive, hasTax: false, url: "http://127.0.0.1:9" };
  const service = await testService({ ...parts, config: { cards: "stripe", stripe, ...parts.config } });
  afterAll(() => service.close());
  const { db, clock, url } = service;
  const seconds = () => Math.floor(clock.now() / SECOND);
  const signed = (body: string, secret = SECRET, time = seconds()) => signatureOf(body, secret, time);

  async function post(
    body: string | Uint8Array,
    signature?: string,
    headers: Record<string, string> = {},
  ): Promise<Posted> {
    const own = { "Content-Type": "application/json", ...headers };
    const response = await fetch(`${url}/webhooks/stripe`, {
      method: "POST",
      headers: signature === undefined ? own : { ...own, "Stripe-Signature": signature },
      body: body as string,
    });
    return { status: response.status, json: await response.json(), headers: response.headers };
  }

  /** @returns the status of the response */
  async function send(event: WireEvent): Promise<number> {
    const body = JSON.stringify(event);
    return (await post(body, signed(body))).status;
  }

  return {
    service,
    seconds,
    signed,
    post,
    send,
    /** Delivers events as Stripe does; each must be answered with 200. */
    async deliver(...events: readonly WireEvent[]): Promise<void> {
      for (const event of events) expect(await send(event)).toBe(200);
    },
    /** Creates an open order of a new account without credits. */
    async newOrder(pack = "basic"): Promise<OrderRow> {
      const { id } = await service.account({ paid: false, credits: 0 });
      return openCardOrder(db, id, { pack, now: clock.now() });
    },
  };
}

import type { Engine } from "../../../db/engine.ts";
import type { OrderRow } from "../../../src/domain/payments/orders/orders.ts";
import { eventsFor, signatureOf, type WireEvent } from "./card-events.ts";

/** The limit of payment pages for one account in an hour. */
const MAX_PAGES = 20;

/** A payment page with its events that are not acknowledged yet. They are sent in order. */
interface Page {
  readonly order: OrderRow;
  readonly events: WireEvent[];
  /** Status of the order at the end, and how many of its 150 credits are taken back. */
  readonly end: readonly [status: string, takenBack: number];
}

/** Buys by card from a service that may be killed at any moment, and sends the events of the card processor. */
export class CardPayer {
  readonly #pages: Page[] = [];
  readonly #secret: string;
  /** Number of acknowledged events. */
  acknowledged = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Opens a page and sends the events of all pages, until the service is killed or no events are left. */
  async payUntilDead(address: string, key: string): Promise<void> {
    const opening = this.#pages.length < MAX_PAGES ? this.#open(address, key) : undefined;
    await this.finish(address);
    await opening;
    await this.finish(address);
  }

  /** Sends all events that are left, as long as the service answers. */
  async finish(address: string): Promise<void> {
    while (this.#pages.some(({ events }) => events.length > 0)) if (!(await this.#sendEvents(address))) return;
  }

  /** @returns a sentence for each order in the wrong state */
  async faults(db: Engine): Promise<string[]> {
    const rows = new Map((await db.q.select().from(db.t.orders)).map((row) => [row.id, row]));
    return this.#pages.flatMap(({ order: { id }, end: [status, takenBack] }) => {
      const row = rows.get(id);
      const isRight = row?.status === status && row.takenBack === takenBack && row.credits === 150;
      return isRight
        ? []
        : [`${id} is ${row?.status}, ${row?.takenBack} taken back, should be ${status}, ${takenBack}`];
    });
  }

  async #open(address: string, key: string): Promise<void> {
    const answer = await send(`${address}/api/v1/checkout`, { authorization: `Bearer ${key}` }, '{"pack":"basic"}');
    if (answer?.status !== 201) return;
    const { id, amount_cents: amountCents, currency, checkout_url: url } = JSON.parse(answer.text).order;
    const order = { id, amountCents, currency, reference: url.split("/").at(-1) } as OrderRow;
    this.#pages.push({ order, ...scenarioOf(order, this.#pages.length) });
  }

  /** Sends the next event of every page twice, since repeats must change nothing. @returns whether the service answers */
  async #sendEvents(address: string): Promise<boolean> {
    let isAlive = true;
    await Promise.all(
      this.#pages.map(async ({ events }) => {
        const [event] = events;
        if (!event) return;
        const body = JSON.stringify(event);
        const headers = { "stripe-signature": signatureOf(body, this.#secret, Math.floor(Date.now() / 1000)) };
        const sent = [1, 2].map(() => send(`${address}/webhooks/stripe`, headers, body));
        const answers = await Promise.all(sent);
        if (answers.includes(null)) isAlive = false;
        if (!answers.some((answer) => answer?.status === 200)) return;
        events.shift();
        this.acknowledged += 1;
      }),
    );
    return isAlive;
  }
}

function scenarioOf(order: OrderRow, number: number): Pick<Page, "events" | "end"> {
  const { paid, waiting, arrived, refunded, refund, disputed } = eventsFor(order);
  const scenarios: readonly Pick<Page, "events" | "end">[] = [
    { events: [paid(), refunded(333), refunded(666)], end: ["paid", 100] },
    { events: [waiting(), arrived(), refunded(999)], end: ["refunded", 150] },
    { events: [paid(), disputed("needs_response"), disputed("won")], end: ["paid", 0] },
    {
      events: [paid(), refunded(333), refunded(999), refund("2", { cents: 666, status: "failed" })],
      end: ["paid", 50],
    },
    { events: [refunded(333), disputed("needs_response"), paid(), disputed("lost")], end: ["disputed", 150] },
  ];
  return scenarios[number % scenarios.length]!;
}

/** @returns null if the service was killed before it answered */
async function send(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string } | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}

import type { Engine } from "../../../db/engine.ts";
import type { OrderRow } from "../../../src/domain/payments/orders/orders.ts";
import { eventsFor, signatureOf, type WireEvent } from "./card-events.ts";

/** An hour allows no more pages to one account. */
const MOST_PAGES = 20;

/** A page, and what is still to be told of it: one event after the other, each until it is acknowledged. */
interface Page {
  readonly order: OrderRow;
  readonly story: WireEvent[];
  /** What the order ends as, and with how many of its 150 credits taken back. */
  readonly end: readonly [status: string, takenBack: number];
}

/** Buys by card from a service that may die at any moment, and tells it what happens as the card processor would. */
export class CardPayer {
  readonly #pages: Page[] = [];
  readonly #secret: string;
  /** Events that were acknowledged. */
  acknowledged = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Opens a page and tells of all there are, until the service is gone or there is nothing more to tell. */
  async payUntilDead(address: string, key: string): Promise<void> {
    const opening = this.#pages.length < MOST_PAGES ? this.#open(address, key) : undefined;
    await this.finish(address);
    await opening;
    await this.finish(address);
  }

  /** Tells all that is left, as long as it is heard. */
  async finish(address: string): Promise<void> {
    while (this.#pages.some(({ story }) => story.length > 0)) if (!(await this.#tell(address))) return;
  }

  /** @returns each order that is not as it should be */
  async faults(db: Engine): Promise<string[]> {
    const rows = new Map((await db.q.select().from(db.t.orders)).map((row) => [row.id, row]));
    return this.#pages.flatMap(({ order: { id }, end: [status, takenBack] }) => {
      const row = rows.get(id);
      const isFine = row?.status === status && row.takenBack === takenBack && row.credits === 150;
      return isFine ? [] : [`${id} is ${row?.status}, ${row?.takenBack} taken back, should be ${status}, ${takenBack}`];
    });
  }

  async #open(address: string, key: string): Promise<void> {
    const answer = await send(`${address}/api/v1/checkout`, { authorization: `Bearer ${key}` }, '{"pack":"basic"}');
    if (answer?.status !== 201) return;
    const { id, amount_cents: amountCents, currency, checkout_url: url } = JSON.parse(answer.text).order;
    const order = { id, amountCents, currency, reference: url.split("/").at(-1) } as OrderRow;
    this.#pages.push({ order, ...storyOf(order, this.#pages.length) });
  }

  /** Sends the next event of every page, and once more: the second time changes nothing. @returns whether it lives */
  async #tell(address: string): Promise<boolean> {
    let isAlive = true;
    await Promise.all(
      this.#pages.map(async ({ story }) => {
        const [event] = story;
        if (!event) return;
        const body = JSON.stringify(event);
        const headers = { "stripe-signature": signatureOf(body, this.#secret, Math.floor(Date.now() / 1000)) };
        const sent = [1, 2].map(() => send(`${address}/webhooks/stripe`, headers, body));
        const answers = await Promise.all(sent);
        if (answers.includes(null)) isAlive = false;
        if (!answers.some((answer) => answer?.status === 200)) return;
        story.shift();
        this.acknowledged += 1;
      }),
    );
    return isAlive;
  }
}

function storyOf(order: OrderRow, number: number): Pick<Page, "story" | "end"> {
  const { paid, waiting, arrived, refunded, disputed } = eventsFor(order);
  const stories: readonly Pick<Page, "story" | "end">[] = [
    { story: [paid(), refunded(333), refunded(666)], end: ["paid", 100] },
    { story: [waiting(), arrived(), refunded(999)], end: ["refunded", 150] },
    { story: [paid(), disputed("needs_response"), disputed("won")], end: ["paid", 0] },
    { story: [refunded(333), disputed("needs_response"), paid(), disputed("lost")], end: ["disputed", 150] },
  ];
  return stories[number % stories.length]!;
}

/** Null when the service died before it answered. */
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

import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { applyCardEvent } from "../../../../../src/domain/payments/cards/apply-event.ts";
import type { CardDeps } from "../../../../../src/domain/payments/cards/deps.ts";
import { cardEventOf } from "../../../../../src/domain/payments/cards/stripe/event.ts";
import type { OrderRow } from "../../../../../src/domain/payments/orders/orders.ts";
import { testStore } from "../../../../support/database/store.ts";
import { booksOf, eventsFor, openCardOrder, type WireEvent } from "../../../../support/payments/card-events.ts";
import { eachTest } from "../../../../support/service/each-test.ts";

const store = eachTest(testStore);
let parts: CardDeps;
let problems: string[];
beforeEach(async () => {
  problems = [];
  const log = { error: (_: object, message: string) => void problems.push(message) };
  const cards = { method: "stripe", isLive: false } as NonNullable<CardDeps["payments"]["cards"]>;
  const { db, clock } = store;
  parts = { db, clock, log, payments: { cards } };
});

const take = (event: WireEvent) => applyCardEvent(parts, cardEventOf(JSON.parse(JSON.stringify(event)))!);

/** How an order may go: what its payer does, then refunds, then a dispute. */
interface Story {
  readonly pack: string;
  readonly ending: "paid" | "late" | "bounced" | "expired" | "expired, then paid" | "bounced, then paid";
  /** Cents of each refund. */
  readonly refunds: readonly number[];
  readonly dispute: "none" | "open" | "won" | "lost" | "inquiry" | "escalated" | "appealed";
}

const story: fc.Arbitrary<Story> = fc.record({
  pack: fc.constantFrom("basic", "pro", "agency"),
  ending: fc.constantFrom("paid", "late", "bounced", "expired", "expired, then paid", "bounced, then paid"),
  refunds: fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 4 }),
  dispute: fc.constantFrom("none", "open", "won", "lost", "inquiry", "escalated", "appealed"),
});

const STATUSES: Readonly<Record<Story["dispute"], readonly string[]>> = {
  none: [],
  open: ["needs_response", "under_review"],
  won: ["needs_response", "under_review", "won"],
  lost: ["needs_response", "lost"],
  inquiry: ["warning_needs_response", "warning_under_review", "warning_closed"],
  escalated: ["warning_needs_response", "needs_response", "won"],
  appealed: ["needs_response", "lost", "appeal_needs_response", "appeal_under_review", "won"],
};

/** Its events, in the order in which they happened. */
function eventsOf(order: OrderRow, { ending, refunds, dispute }: Story): WireEvent[] {
  const e = eventsFor(order);
  const page = {
    paid: () => [e.paid()],
    late: () => [e.waiting(), e.arrived()],
    bounced: () => [e.waiting(), e.failed()],
    expired: () => [e.expired()],
    "expired, then paid": () => [e.expired(), e.paid()],
    "bounced, then paid": () => [e.waiting(), e.failed(), e.arrived()],
  }[ending]();
  if (ending === "bounced" || ending === "expired") return page;
  const given = refunds.map((_, index) => e.refunded(refunds.slice(0, index + 1).reduce((a, b) => a + b)));
  return [...page, ...given, ...STATUSES[dispute].map((status) => e.disputed(status))];
}

const shuffled = story.chain((one) =>
  fc.record({
    story: fc.constant(one),
    /** Each event comes that often, up to three times. */
    copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 14, maxLength: 14 }),
    /** Sorts the deliveries. */
    places: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 42, maxLength: 42 }),
    atOnce: fc.boolean(),
  }),
);

test("law: events in any order, any number of times, result in the same books", async () => {
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ story, copies, places, atOnce }) => {
      const [straight, mixed] = await Promise.all([newOrder(story), newOrder(story)]);
      for (const event of eventsOf(straight, story)) await take(event);

      const deliveries = eventsOf(mixed, story).flatMap(
        (event, index) => Array(copies[index]).fill(event) as WireEvent[],
      );
      const order = deliveries
        .map((event, index) => ({ event, place: places[index]! }))
        .sort((a, b) => a.place - b.place);
      if (atOnce) await Promise.all(order.map(({ event }) => take(event)));
      else for (const { event } of order) await take(event);

      const [a, b] = [await booksOf(store.db, straight), await booksOf(store.db, mixed)];
      expect([b.status, b.takenBack, b.balance]).toEqual([a.status, a.takenBack, a.balance]);
      expect(sum(b.ledger)).toBe(sum(a.ledger));
      expect([a.audit, problems]).toEqual([[], []]);
      expect(a.balance).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 120, seed: 20_260_105 },
  );
}, 120_000);

/** Two orders of one story differ in their account alone. */
async function newOrder({ pack }: Story): Promise<OrderRow> {
  return openCardOrder(store.db, await store.account(0), { pack, now: store.clock.now() });
}

function sum(ledger: readonly string[]): number {
  return ledger.reduce((total, entry) => total + Number(entry.split(" ")[1]), 0);
}

test("law: a sequence of events ends in the state that its last events say", async () => {
  const end = async (one: Omit<Story, "pack">) => {
    const order = await newOrder({ pack: "basic", ...one });
    for (const event of eventsOf(order, { pack: "basic", ...one })) await take(event);
    const { status, balance } = await booksOf(store.db, order);
    return `${status} ${balance}`;
  };
  expect(await end({ ending: "late", refunds: [333], dispute: "inquiry" })).toBe("paid 100");
  expect(await end({ ending: "paid", refunds: [], dispute: "escalated" })).toBe("paid 150");
  expect(await end({ ending: "paid", refunds: [999], dispute: "appealed" })).toBe("refunded 0");
  expect(await end({ ending: "expired, then paid", refunds: [], dispute: "lost" })).toBe("disputed 0");
  expect(await end({ ending: "bounced", refunds: [5], dispute: "lost" })).toBe("failed 0");
});

test("500 for the sender: an event that fails in the middle leaves nothing behind, not even its own record", async () => {
  const order = await newOrder({ pack: "basic" } as Story);
  const event = eventsFor(order).paid();
  const failing: CardDeps = {
    ...parts,
    db: {
      ...store.db,
      tx: (work) =>
        store.db.tx(async (tx) => {
          await work(tx);
          throw new Error("the disk is full");
        }),
    },
  };
  await expect(applyCardEvent(failing, cardEventOf(event)!)).rejects.toThrow("the disk is full");
  const { cardEvents, cardPayments } = store.db.t;
  expect([await store.db.q.select().from(cardEvents), await store.db.q.select().from(cardPayments)]).toEqual([[], []]);
  expect(await booksOf(store.db, order)).toMatchObject({ status: "pending", ledger: [] });
  await take(event);
  expect(await booksOf(store.db, order)).toMatchObject({ status: "paid", ledger: ["purchase 150"], audit: [] });
});

test("an event is recorded with its order and the time when it arrived", async () => {
  const order = await newOrder({ pack: "basic" } as Story);
  const event = eventsFor(order).paid();
  await take(event);
  store.clock.pass(5_000);
  await take(event);
  const at = store.clock.now() - 5_000;
  expect(await store.db.q.select().from(store.db.t.cardEvents)).toEqual([
    { id: event.id, type: "checkout.session.completed", orderId: order.id, problem: null, at },
  ]);
});

test("law: money that moves for a deleted account is booked, gives nothing to spend, and is an error in the log", async () => {
  const accountId = await store.account(0);
  const order = await openCardOrder(store.db, accountId, { pack: "basic" });
  const events = eventsFor(order);
  const { accounts } = store.db.t;
  await store.db.tx((tx) => tx.q.update(accounts).set({ deletedAt: 1 }).where(eq(accounts.id, accountId)));
  await take(events.expired());
  expect(problems).toEqual([]);
  const told = "money has moved for a deleted account; decide whether to give it back";
  await take(events.paid());
  expect([await store.ledger(accountId), problems]).toEqual([
    [
      ["purchase", 150],
      ["adjustment", -150],
    ],
    [told],
  ]);
  await take(events.refunded(order.amountCents));
  expect([await store.balance(accountId), problems]).toEqual([-150, [told, told]]);
  expect(await store.problems()).toEqual([]);
});

import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { applyCardEvent } from "../../../../../src/domain/payments/cards/apply-event.ts";
import type { CardDeps } from "../../../../../src/domain/payments/cards/deps.ts";
import { cardEventOf } from "../../../../../src/domain/payments/cards/stripe/event.ts";
import type { OrderRow } from "../../../../../src/domain/payments/orders/orders.ts";
import { fuzzRuns } from "../../../../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../../../../support/database/database.ts";
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

const REFUND_FAILED =
  "a refund has failed: the money is with you again, and the credits with the customer; give it back in another way";

const take = (event: WireEvent) => applyCardEvent(parts, cardEventOf(JSON.parse(JSON.stringify(event)))!);

/** How an order may go: what its payer does, then refunds, then a dispute. */
interface Story {
  readonly pack: string;
  readonly ending: keyof typeof ENDINGS;
  readonly refunds: readonly Refund[];
  /** What the processor says of refunds: each by itself, all together, or both. A failure is always said by itself. */
  readonly told: "each" | "together" | "both";
  readonly dispute: keyof typeof STATUSES;
}

interface Refund {
  readonly cents: number;
  readonly end: "succeeded" | "failed" | "canceled";
  /** At most how many refunds are made after it until it fails or is cancelled. */
  readonly later: number;
}

type Events = ReturnType<typeof eventsFor>;

const ENDINGS = {
  paid: (e: Events) => [e.paid()],
  late: (e: Events) => [e.waiting(), e.arrived()],
  bounced: (e: Events) => [e.waiting(), e.failed()],
  expired: (e: Events) => [e.expired()],
  "expired, then paid": (e: Events) => [e.expired(), e.paid()],
  "bounced, then paid": (e: Events) => [e.waiting(), e.failed(), e.arrived()],
  "paid, then bounced": (e: Events) => [e.waiting(), e.arrived(), e.failed()],
} as const;

const story: fc.Arbitrary<Story> = fc.record({
  pack: fc.constantFrom("basic", "pro", "agency"),
  ending: fc.constantFrom(...(Object.keys(ENDINGS) as Story["ending"][])),
  refunds: fc.array(
    fc.record({
      cents: fc.integer({ min: 1, max: 900 }),
      end: fc.constantFrom("succeeded", "succeeded", "failed", "canceled"),
      later: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 4 },
  ),
  told: fc.constantFrom("each", "together", "both"),
  dispute: fc.constantFrom("none", "open", "won", "lost", "inquiry", "escalated", "appealed", "reopened"),
});

const STATUSES = {
  none: [],
  open: ["needs_response", "under_review"],
  won: ["needs_response", "under_review", "won"],
  lost: ["needs_response", "lost"],
  inquiry: ["warning_needs_response", "warning_under_review", "warning_closed"],
  escalated: ["warning_needs_response", "needs_response", "won"],
  appealed: ["needs_response", "lost", "appeal_needs_response", "appeal_under_review", "won"],
  reopened: ["warning_needs_response", "warning_closed", "needs_response", "won", "lost"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Its events, in the order in which they happened, a second apart. */
function eventsOf(order: OrderRow, { ending, refunds, told, dispute }: Story): WireEvent[] {
  const e = eventsFor(order);
  const isPaid = ending !== "bounced" && ending !== "expired";
  const after = isPaid ? [...refundEvents(e, refunds, told), ...STATUSES[dispute].map((one) => e.disputed(one))] : [];
  return [...ENDINGS[ending](e), ...after].map((event, second) => ({ ...event, created: 1_795_000_000 + second }));
}

function refundEvents(e: Events, refunds: readonly Refund[], told: Story["told"]): WireEvent[] {
  const events: WireEvent[] = [];
  for (const [index, { cents }] of refunds.entries()) {
    const isNamed = told !== "together";
    if (isNamed) events.push(e.refund(`${index}`, { cents, status: "pending", what: "refund.created" }));
    if (told !== "each") events.push(e.refunded(standing(refunds, index)));
    if (isNamed) events.push(e.refund(`${index}`, { cents }));
    for (const [number, { cents, end, later }] of refunds.entries()) {
      if (Math.min(number + later, refunds.length - 1) !== index || end === "succeeded") continue;
      const what = ["refund.failed", "charge.refund.updated"];
      events.push(...what.map((one) => e.refund(`${number}`, { cents, status: end, what: one })));
    }
  }
  return events;
}

/** What the refunds come to when the one of this index has been made. */
function standing(refunds: readonly Refund[], index: number): number {
  const isStanding = ({ end, later }: Refund, number: number) =>
    number <= index && (end === "succeeded" || number + later >= index);
  return refunds.filter(isStanding).reduce((sum, { cents }) => sum + cents, 0);
}

const shuffled = story.chain((one) =>
  fc.record({
    story: fc.constant(one),
    /** Each event comes that often, up to three times. */
    copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 30, maxLength: 30 }),
    /** Sorts the deliveries. */
    places: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 90, maxLength: 90 }),
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
      expect([a.audit, problems.filter((problem) => problem !== REFUND_FAILED)]).toEqual([[], []]);
      expect(a.balance).toBe(expectedBalance(straight, story));
    }),
    { numRuns: fuzzRuns(isOnPostgres ? 10 : 60), seed: 20_260_105 },
  );
}, 900_000);

/** What is left of the credits, by the end of the story alone. */
function expectedBalance({ credits, amountCents }: OrderRow, { ending, refunds, dispute }: Story): number {
  if (ending.endsWith("bounced") || ending === "expired") return 0;
  if (dispute === "open" || dispute === "lost" || dispute === "reopened") return 0;
  const given = refunds.filter(({ end }) => end === "succeeded").reduce((sum, { cents }) => sum + cents, 0);
  return credits - Math.min(credits, Math.round((credits * given) / amountCents));
}

/** Two orders of one story differ in their account alone. */
async function newOrder({ pack }: Story): Promise<OrderRow> {
  return openCardOrder(store.db, await store.account(0), { pack, now: store.clock.now() });
}

function sum(ledger: readonly string[]): number {
  return ledger.reduce((total, entry) => total + Number(entry.split(" ")[1]), 0);
}

test("law: a sequence of events ends in the state that its last events say", async () => {
  const end = async (one: Partial<Story>) => {
    const whole: Story = { pack: "basic", ending: "paid", refunds: [], told: "together", dispute: "none", ...one };
    const order = await newOrder(whole);
    for (const event of eventsOf(order, whole)) await take(event);
    const { status, balance } = await booksOf(store.db, order);
    return `${status} ${balance}`;
  };
  const given = (cents: number, end: Refund["end"] = "succeeded", later = 0): Refund => ({ cents, end, later });
  expect(await end({ ending: "late", refunds: [given(333)], dispute: "inquiry" })).toBe("paid 100");
  expect(await end({ dispute: "escalated" })).toBe("paid 150");
  expect(await end({ dispute: "reopened" })).toBe("disputed 0");
  expect(await end({ refunds: [given(999)], dispute: "appealed" })).toBe("refunded 0");
  expect(await end({ ending: "expired, then paid", dispute: "lost" })).toBe("disputed 0");
  expect(await end({ ending: "bounced", refunds: [given(5)], dispute: "lost" })).toBe("failed 0");
  expect(await end({ ending: "paid, then bounced" })).toBe("failed 0");
  for (const told of ["each", "together", "both"] as const) {
    expect(await end({ told, refunds: [given(999, "failed")] })).toBe("paid 150");
    expect(await end({ told, refunds: [given(999, "canceled")] })).toBe("paid 150");
    expect(await end({ told, refunds: [given(999, "failed"), given(999)] })).toBe("refunded 0");
    expect(await end({ told, refunds: [given(333, "failed", 1), given(333)] })).toBe("paid 100");
    expect(await end({ told, refunds: [given(999, "failed")], dispute: "won" })).toBe("paid 150");
  }
});

test("an error in the log, once a refund: a refund of an order of ours that failed after it was booked", async () => {
  const order = await newOrder({ pack: "basic" } as Story);
  const e = eventsFor(order);
  await take(e.paid());
  await take(e.refunded(999));
  expect(await booksOf(store.db, order)).toMatchObject({ status: "refunded", balance: 0 });
  for (const what of ["charge.refund.updated", "refund.updated", "refund.failed"])
    await take(e.refund("1", { cents: 999, status: "failed", what }));
  expect(problems).toEqual([REFUND_FAILED]);
  expect(await booksOf(store.db, order)).toEqual({
    status: "paid",
    takenBack: 0,
    balance: 150,
    ledger: ["purchase 150", "adjustment -150", "adjustment 150"],
    audit: [],
  });
  await take(e.refund("2", { cents: 5, status: "failed" }, { payment_intent: "pi_of_another_product" }));
  expect(problems).toEqual([REFUND_FAILED]);
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

test("an error in the log: an event that moved nothing, with the reason", async () => {
  const order = await newOrder({ pack: "basic" } as Story);
  await take(eventsFor(order).paid({ amount_total: 998 }));
  expect(problems).toEqual(["an event of the card processor moved nothing. Its amount is 998, and the order's 999."]);
});

test("law: an order fails with its payment page, also where that has no payment", async () => {
  const order = await newOrder({ pack: "basic" } as Story);
  await take(eventsFor(order).failed({ payment_intent: null }));
  expect(await booksOf(store.db, order)).toMatchObject({ status: "failed", ledger: [], audit: [] });
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

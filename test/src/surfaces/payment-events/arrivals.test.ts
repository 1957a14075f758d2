import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { isPaid, type OrderRow } from "../../../../src/domain/payments/orders/orders.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import {
  booksOf,
  eventsFor,
  openCardOrder,
  recordOf,
  type WireEvent,
  wireEvent,
} from "../../../support/payments/card-events.ts";
import { cardWebhook } from "../../../support/payments/card-webhook.ts";

const { service, deliver, send, newOrder } = await cardWebhook();
const { db, clock, errors } = service;

beforeEach(() => {
  clock.pass(MINUTE);
  errors.length = 0;
});

type Events = ReturnType<typeof eventsFor>;

interface History {
  readonly name: string;
  readonly events: (events: Events, order: OrderRow) => readonly WireEvent[];
  /** In the end: status, credits taken back of 150, and the ledger. */
  readonly end: readonly [status: string, takenBack: number, ...ledger: string[]];
}

const bought = "purchase 150";

/** Of orders of 150 credits for 999 cents. Every event is delivered twice, one after the other. */
const HISTORIES: readonly History[] = [
  { name: "paid", events: (e) => [e.paid()], end: ["paid", 0, bought] },
  { name: "waiting", events: (e) => [e.waiting()], end: ["pending", 0] },
  { name: "waiting, then the money came", events: (e) => [e.waiting(), e.arrived()], end: ["paid", 0, bought] },
  { name: "the money came, then waiting", events: (e) => [e.arrived(), e.waiting()], end: ["paid", 0, bought] },
  { name: "waiting, then no money came", events: (e) => [e.waiting(), e.failed()], end: ["failed", 0] },
  { name: "expired", events: (e) => [e.expired()], end: ["expired", 0] },
  { name: "expired, then paid", events: (e) => [e.expired(), e.paid()], end: ["paid", 0, bought] },
  { name: "failed, then paid", events: (e) => [e.failed(), e.arrived()], end: ["paid", 0, bought] },
  { name: "paid, then expired", events: (e) => [e.paid(), e.expired()], end: ["paid", 0, bought] },
  { name: "paid, then failed", events: (e) => [e.paid(), e.failed()], end: ["paid", 0, bought] },
  { name: "failed, then expired", events: (e) => [e.failed(), e.expired()], end: ["failed", 0] },
  { name: "expired, then failed", events: (e) => [e.expired(), e.failed()], end: ["failed", 0] },
  { name: "paid twice, by two events", events: (e) => [e.paid(), e.arrived(), e.paid()], end: ["paid", 0, bought] },
  {
    name: "paid, and no payment is named",
    events: (e) => [e.paid({ payment_intent: null })],
    end: ["paid", 0, bought],
  },
  {
    name: "paid, refunded, then told again without a payment",
    events: (e) => [e.paid(), e.refunded(999), e.arrived({ payment_intent: null })],
    end: ["refunded", 150, bought, "adjustment -150"],
  },
  {
    name: "refunds of 300 and then 600 cents",
    events: (e) => [e.paid(), e.refunded(300), e.refunded(900)],
    end: ["paid", 135, bought, "adjustment -45", "adjustment -90"],
  },
  {
    name: "refunds that are heard of the wrong way round",
    events: (e) => [e.paid(), e.refunded(900), e.refunded(300)],
    end: ["paid", 135, bought, "adjustment -135"],
  },
  {
    name: "a refund heard of before its payment",
    events: (e) => [e.refunded(300), e.paid()],
    end: ["paid", 45, bought, "adjustment -45"],
  },
  {
    name: "a refund heard of while the money is awaited",
    events: (e) => [e.waiting(), e.refunded(999), e.arrived()],
    end: ["refunded", 150, bought, "adjustment -150"],
  },
  {
    name: "refunded in full",
    events: (e) => [e.paid(), e.refunded(999)],
    end: ["refunded", 150, bought, "adjustment -150"],
  },
  {
    name: "a refund of more than was paid",
    events: (e) => [e.paid(), e.refunded(2_000)],
    end: ["refunded", 150, bought, "adjustment -150"],
  },
  { name: "a refund of nothing", events: (e) => [e.paid(), e.refunded(0)], end: ["paid", 0, bought] },
  {
    name: "a refund of one cent",
    events: (e) => [e.paid(), e.refunded(1), e.refunded(4)],
    end: ["paid", 1, bought, "adjustment -1"],
  },
  {
    name: "refunded, then paid again by a late event",
    events: (e) => [e.paid(), e.refunded(999), e.arrived()],
    end: ["refunded", 150, bought, "adjustment -150"],
  },
  {
    name: "disputed",
    events: (e) => [e.paid(), e.disputed("needs_response", {}, "created"), e.disputed("under_review")],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
  {
    name: "a dispute heard of before its payment",
    events: (e) => [e.disputed("needs_response", {}, "created"), e.paid()],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
  {
    name: "a dispute that was won",
    events: (e) => [e.paid(), e.disputed("needs_response"), e.disputed("won", {}, "closed")],
    end: ["paid", 0, bought, "adjustment -150", "adjustment 150"],
  },
  {
    name: "a dispute whose beginning is heard of after its end",
    events: (e) => [e.paid(), e.disputed("won", {}, "closed"), e.disputed("needs_response", {}, "created")],
    end: ["paid", 0, bought],
  },
  {
    name: "a dispute that was lost, heard of the wrong way round",
    events: (e) => [e.disputed("lost", {}, "closed"), e.disputed("under_review"), e.paid()],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
  {
    name: "lost, and won on appeal",
    events: (e) => [e.paid(), e.disputed("lost"), e.disputed("appeal_under_review"), e.disputed("won")],
    end: ["paid", 0, bought, "adjustment -150", "adjustment 150"],
  },
  {
    name: "a dispute takes the rest after a partial refund, and gives back that rest",
    events: (e) => [e.paid(), e.refunded(333), e.disputed("needs_response"), e.disputed("won")],
    end: ["paid", 50, bought, "adjustment -50", "adjustment -100", "adjustment 100"],
  },
  {
    name: "refunded while it is disputed, then won",
    events: (e) => [e.paid(), e.disputed("needs_response"), e.refunded(999), e.disputed("won")],
    end: ["refunded", 150, bought, "adjustment -150"],
  },
  {
    name: "a refund after a dispute was lost",
    events: (e) => [e.paid(), e.disputed("lost"), e.refunded(999)],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
  {
    name: "two disputes, of which one is won",
    events: (e, { id }) => [
      e.paid(),
      e.disputed("lost"),
      e.disputed("needs_response", { id: `dp_second_${id}` }),
      e.disputed("won"),
    ],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
  {
    name: "an inquiry, which takes no money",
    events: (e) => [e.paid(), e.disputed("warning_needs_response", {}, "created"), e.disputed("warning_closed")],
    end: ["paid", 0, bought],
  },
  {
    name: "an inquiry that became a dispute",
    events: (e) => [
      e.paid(),
      e.disputed("warning_needs_response"),
      e.disputed("needs_response", {}, "funds_withdrawn"),
    ],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
  {
    name: "a dispute that was prevented without money",
    events: (e) => [e.paid(), e.disputed("prevented")],
    end: ["paid", 0, bought],
  },
  {
    name: "a dispute that was prevented by giving the money back",
    events: (e) => [e.paid(), e.disputed("prevented", { balance_transactions: [{ amount: -999 }] })],
    end: ["disputed", 150, bought, "adjustment -150"],
  },
];

async function settled(order: OrderRow) {
  const { status, takenBack, ledger, balance, audit } = await booksOf(db, order);
  expect(audit).toEqual([]);
  expect(balance).toBe(ledger.reduce((sum, entry) => sum + Number(entry.split(" ")[1]), 0));
  return [status, takenBack, ...ledger];
}

describe("200: every history ends in its books", () => {
  test.each(HISTORIES)("$name", async ({ events, end }) => {
    const order = await newOrder();
    for (const event of events(eventsFor(order), order)) await deliver(event, event);
    expect(await settled(order)).toEqual(end);
    expect(errors).toEqual([]);
  });

  test.each(HISTORIES)("$name, all at once", async ({ events, end }) => {
    const order = await newOrder();
    const all = events(eventsFor(order), order).flatMap((event) => [event, event, event]);
    expect(new Set(await Promise.all(all.map(send)))).toEqual(new Set([200]));
    const [status, takenBack] = await settled(order);
    expect([status, takenBack]).toEqual(end.slice(0, 2));
    expect(errors).toEqual([]);
  });
});

test("200: the same event sent twenty times at once is booked once", async () => {
  const order = await newOrder("agency");
  const event = eventsFor(order).paid();
  const statuses = await Promise.all(Array.from({ length: 20 }, () => send(event)));
  expect(statuses).toEqual(Array(20).fill(200));
  expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: ["purchase 3000"], audit: [] });
});

test("200: a refund of an unknown payment is stored, and applied once the payment is known", async () => {
  const order = await newOrder();
  const refund = eventsFor(order).refunded(999);
  await deliver(refund);
  expect(await recordOf(db, refund)).toEqual({ order: null, problem: null });
  expect(await settled(order)).toEqual(["pending", 0]);
  await deliver(eventsFor(order).paid());
  expect(await settled(order)).toEqual(["refunded", 150, bought, "adjustment -150"]);
});

test("200: taking back spent credits leaves a negative balance, until the dispute is won", async () => {
  const account = await service.account({ paid: false, credits: 0 });
  const order = await openCardOrder(db, account.id, { now: clock.now() });
  const submit = (count: number) => {
    const urls = Array.from({ length: count }, (_, i) => `https://example.com/${i}`);
    return service.request("POST", "/projects", { key: account.key, body: { urls } });
  };
  await deliver(eventsFor(order).paid());
  expect((await submit(100)).status).toBe(201);
  await deliver(eventsFor(order).disputed("needs_response"));
  expect(await booksOf(db, order)).toMatchObject({ status: "disputed", balance: -100, audit: [] });
  expect((await submit(1)).json.error.code).toBe("payment_required");
  await deliver(eventsFor(order).disputed("won"));
  expect(await booksOf(db, order)).toMatchObject({ status: "paid", balance: 50, audit: [] });
});

test("200: only a paid order makes an account paid, and its refund ends that", async () => {
  const order = await newOrder();
  const events = eventsFor(order);
  const paid = () => isPaid(db, order.accountId);
  expect(await paid()).toBe(false);
  await deliver(events.waiting());
  expect(await paid()).toBe(false);
  await deliver(events.arrived());
  expect(await paid()).toBe(true);
  await deliver(events.refunded(998));
  expect(await paid()).toBe(true);
  await deliver(events.refunded(999));
  expect(await paid()).toBe(false);
});

test("200: one event makes one ledger entry, under its own id", async () => {
  const order = await newOrder();
  const refund = eventsFor(order).refunded(300);
  await deliver(eventsFor(order).paid(), refund, wireEvent("invoice.paid", {}));
  const { ledger } = db.t;
  const rows = await db.q.select().from(ledger).where(eq(ledger.orderId, order.id));
  expect(rows.map(({ kind, source, description }) => [kind, source, description])).toEqual([
    ["purchase", order.id, "150 credits bought by card (pack basic, test payment)"],
    ["adjustment", refund.id, "Credits taken back for a partial refund"],
  ]);
});

import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import { relayEvents } from "../../../../src/domain/events/relay.ts";
import { EVENT_TYPE_NAMES, type EventData, type NewEvent } from "../../../../src/domain/events/types.ts";
import { NOTICE_KIND_NAMES } from "../../../../src/domain/mail/layout/notice-kinds.ts";
import { sendDueDigests } from "../../../../src/domain/notices/digest.ts";
import { noticeConsumer } from "../../../../src/domain/notices/queue-notices.ts";
import { switchNotice } from "../../../../src/domain/notices/settings.ts";
import { subscriptionOf } from "../../../../src/domain/notices/unsubscribe.ts";
import { openOrder } from "../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { changeOwner } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { testUsers } from "../../../support/website/test-users.ts";

const EMAIL = "ann@example.com";
const t = eachTest(testUsers);
let id: string;
beforeEach(async () => {
  id = await t.member(EMAIL);
  await t.services.db.tx(async (tx) => {
    const order = {
      id: ORDER.order_id,
      accountId: id,
      pack: PACKS[1],
      credits: ORDER.credits,
      method: "stripe",
      now: 1,
    };
    await openOrder(tx, order);
    const paid = { status: "paid", paidAt: now(), receiptNo: 1, taxCents: 479 };
    await tx.q.update(tx.t.orders).set(paid).where(eq(tx.t.orders.id, order.id)).returning();
  });
});
const now = () => t.store.clock.now();

const consumer = () => noticeConsumer({ ...t.services, seller: ["Example Ltd", "VAT GB123456789"] });

/** Records events of an account and hands them to the consumer, as the relay does. */
async function happen(events: readonly NewEvent[], accountId = id): Promise<void> {
  await t.services.db.tx((tx) => recordEvents(tx, accountId, events, now()));
  await relayEvents(t.services.db, [consumer()], now);
}

const digests = () => sendDueDigests(t.services.db, t.services, now());
const subjects = () => t.outbox.map(({ subject }) => subject);

function completed(name: string, more: Partial<EventData["project.completed"]> = {}): NewEvent {
  const counts = { total: 10, indexed: 7, not_indexed: 2, failed: 1 };
  const facts = { project_id: "prj_0123456789abc", kind: "index", counts, credits_spent: 10, credits_returned: 3 };
  return { type: "project.completed", data: { ...facts, name, completed_at: "2026-01-05T12:00:00.000Z", ...more } };
}

const ORDER = {
  ...{ order_id: "ord_1", pack: "pro", credits: 1_000, amount_cents: 2_999, currency: "usd", method: "card" },
};

test("a completed project: one mail with the counts, the credits returned and a link", async () => {
  await happen([completed("Spring sale")]);
  expect(t.outbox).toHaveLength(1);
  const { to, subject, text, html } = t.outbox[0]!;
  expect([to, subject]).toEqual([EMAIL, "Completed: Spring sale"]);
  for (const one of [text, html!]) {
    expect(one).toContain("https://beckon.test/dashboard/projects/prj_0123456789abc");
    expect(one.replace(/\s+/g, " ")).toMatch(/7 of 10 are in Google\. 3 credits came back to your balance\./);
    expect(one).toContain("https://beckon.test/dashboard/notices");
  }
  expect(text).toMatch(/^Credits returned: +3$/m);
});

test("law: the first completed project is mailed at once, and all of the following hour in one mail at its end", async () => {
  await happen([completed("First")]);
  for (let n = 0; n < 5; n++) {
    t.store.clock.pass(10 * MINUTE);
    await happen([completed(`Later ${n}`)]);
    await digests();
  }
  expect(subjects()).toEqual(["Completed: First"]);
  t.store.clock.pass(10 * MINUTE);
  await digests();
  await digests();
  expect(subjects()).toEqual(["Completed: First", "5 projects completed"]);
  const { text } = t.outbox[1]!;
  expect(text.replace(/\s+/g, " ")).toContain("35 of 50 URLs are in Google. 15 credits came back");
  for (let n = 0; n < 5; n++) expect(text).toContain(`Later ${n}:`);
  // The hour after that mail is counted too, and after one without any project the next is told at once.
  await happen([completed("Sixth")]);
  t.store.clock.pass(HOUR);
  await digests();
  expect(subjects().slice(2)).toEqual(["Completed: Sixth"]);
  t.store.clock.pass(HOUR);
  await digests();
  await happen([completed("Seventh")]);
  expect(subjects().slice(3)).toEqual(["Completed: Seventh"]);
});

test("projects that are completed together share a mail; a long list is cut", async () => {
  await happen(Array.from({ length: 30 }, (_, n) => completed(`No ${n}`)));
  expect(subjects()).toEqual(["30 projects completed"]);
  const { text } = t.outbox[0]!;
  expect(text).toContain("No 19:");
  expect(text).not.toContain("No 20");
  expect(text).toContain("And 10 more projects.");
});

test("one mail says that the operator has paused all watches of an account; others have a mail each", async () => {
  const counts = { known: 30, new: 0, changed: 0, removed: 30 };
  const held = (no: number, more: object) => ({
    type: "watch.held",
    data: { watch_id: `wat_${no}`, sitemap_url: `https://site-${no}.example/sitemap.xml`, ...counts, ...more },
  });
  const paused = { status: "paused", reason: "account_disabled" };
  await happen([
    held(0, { status: "held", reason: "many_removed" }),
    ...Array.from({ length: 25 }, (_, no) => held(no + 1, paused)),
  ] as never);
  expect(subjects()).toEqual(["Your watch of site-0.example waits for you", "Your 25 watches are paused"]);
  expect(t.outbox[1]!.text).toContain("site-20.example");
  expect(t.outbox[1]!.text).not.toContain("site-21.example");
  expect(t.outbox[1]!.text).toMatch(/and\s+5\s+more/);
  await happen([held(1, paused)] as never);
  expect(subjects().at(-1)).toBe("Your watch of site-1.example is paused");
});

test("low credits, a receipt and a refund have a mail each", async () => {
  await happen([
    { type: "credits.low", data: { balance: 42, threshold: 100 } },
    { type: "order.paid", data: ORDER },
    { type: "order.refunded", data: { ...ORDER, credits_taken_back: 1_000, status: "refunded" } },
  ]);
  expect(subjects()).toEqual([
    "Your Beckon balance is low: 42 credits",
    "Receipt: 1,000 credits for your Beckon account",
    "Refund: 1,000 credits",
  ]);
  expect(t.outbox[1]!.text).toContain("$29.99");
  expect(t.outbox[1]!.text).toContain("https://beckon.test/dashboard/orders/ord_1/receipt");
  expect(t.outbox[1]!.text).toMatch(/Receipt:\s+[0-9A-Z]{10}-0001\n/);
  expect(t.outbox[1]!.text).toMatch(/Tax contained:\s+\$4\.79\n/);
  expect(t.outbox[1]!.text).toContain(`Sold by Example Ltd, VAT GB123456789, to ${EMAIL}.`);
});

test("a disabled webhook is always mailed, and keys, apps and agents are not mailed twice", async () => {
  for (const kind of NOTICE_KIND_NAMES)
    await t.services.db.tx((tx) => switchNotice(tx, { accountId: id, kind, isOn: false, now: now() }));
  const connection = { connection_id: "con_1", name: "A", scopes: ["read"] };
  await happen([
    { type: "webhook.disabled", data: { webhook_id: "whk_1", origin: "https://hooks.example", reason: "failing" } },
    { type: "agent.connected", data: connection },
    { type: "app.connected", data: connection },
    { type: "key.created", data: { key_id: "key_1", name: "K", ending: "abcd", scopes: ["read"], expires_at: null } },
  ]);
  expect(t.outbox).toMatchObject([{ subject: "Your webhook to https://hooks.example was disabled" }]);
  expect(t.outbox[0]).not.toHaveProperty("unsubscribe");
  expect(t.outbox[0]!.text).not.toContain("nsubscribe");
});

test("a connection that no longer gives access is always mailed, with what to do", async () => {
  for (const kind of NOTICE_KIND_NAMES)
    await t.services.db.tx((tx) => switchNotice(tx, { accountId: id, kind, isOn: false, now: now() }));
  const about = { connection_id: "con_1", kind: "search_console", name: "ann@example.com" } as const;
  await happen([{ type: "connection.failing", data: { ...about, reason: "access_revoked" } }]);
  expect(t.outbox).toMatchObject([{ subject: "Search Console no longer gives us access" }]);
  expect(t.outbox[0]!.text).toContain("https://beckon.test/dashboard/connections");
  expect(t.outbox[0]!.text.replace(/\s+/g, " ")).toContain("no link was decided because of it");
});

test("law: what is switched off is not mailed, by any type of event, and the others are", async () => {
  const all: NewEvent[] = [
    completed("One"),
    { type: "credits.low", data: { balance: 42, threshold: 100 } },
    { type: "order.paid", data: ORDER },
    {
      type: "watch.failing",
      data: { watch_id: "wat_1", sitemap_url: "https://example.com/s.xml", failures: 3, reason: "http_503" },
    },
  ];
  for (const kind of NOTICE_KIND_NAMES) {
    await t.services.db.tx((tx) => switchNotice(tx, { accountId: id, kind, isOn: false, now: now() }));
    const before = t.outbox.length;
    t.store.clock.pass(3 * HOUR);
    await digests();
    await happen(all);
    const told = t.outbox.slice(before).map(({ unsubscribe }) => {
      const token = new URL(unsubscribe!).searchParams.get("token")!;
      return subscriptionOf(t.services.secretBox, token);
    });
    const others = NOTICE_KIND_NAMES.filter((other) => other !== kind);
    expect(told.map((one) => one!.kind).sort()).toEqual([...others].sort());
    expect(new Set(told.map((one) => one!.accountId))).toEqual(new Set([id]));
    await t.services.db.tx((tx) => switchNotice(tx, { accountId: id, kind, isOn: true, now: now() }));
  }
});

test("law: neither a deleted account nor an address that was never confirmed is mailed", async () => {
  await happen([completed("First")]);
  await happen([completed("Second")]);
  await t.services.db.tx((tx) => changeOwner(tx, id, { verifiedAt: null }));
  await happen([{ type: "order.paid", data: ORDER }]);
  await t.services.db.tx(async (tx) => {
    await changeOwner(tx, id, { verifiedAt: now() });
    await tx.q.delete(tx.t.members);
  });
  await happen([{ type: "order.paid", data: ORDER }]);
  t.store.clock.pass(HOUR);
  await digests();
  expect(subjects()).toEqual(["Completed: First"]);
});

test("law: a name that a stranger chose adds neither markup nor a line, and is cut", async () => {
  await happen([completed("<img src=x onerror=alert(1)>\"'&\r\nBcc: bob@example.com \u2028 \u202e")]);
  const { subject, text, html } = t.outbox[0]!;
  expect(subject).not.toMatch(/[\r\n\u2028\u202e]/);
  expect(html).not.toMatch(/<img|src=x onerror=alert\(1\)>/);
  expect(text).not.toMatch(/^Bcc:/m);
  t.store.clock.pass(3 * HOUR);
  await digests();
  await happen([completed("x".repeat(500))]);
  expect(t.outbox[1]!.subject).toBe(`Completed: ${"x".repeat(59)}…`);
  t.store.clock.pass(3 * HOUR);
  await digests();
  await happen([completed("\u200b")]);
  expect(t.outbox[2]!.subject).toBe("Completed: Without a name");
});

test("law: HTML mail loads nothing and runs nothing", async () => {
  await happen([completed("Spring sale"), { type: "order.paid", data: ORDER }]);
  for (const { html } of t.outbox) expect(html).not.toMatch(/<(script|img|link|style|iframe)|url\(|@import|\son\w+=/i);
});

test("events without a mail of their own are not mailed", async () => {
  const consume = consumer();
  await t.services.db.tx((tx) => recordEvents(tx, id, [completed("One")], now()));
  const [row] = await t.services.db.q.select().from(t.services.db.t.events);
  for (const type of EVENT_TYPE_NAMES.filter((name) => /^(links|site|agent|app|key|webhook\.ping)\b/.test(name)))
    await t.services.db.tx((tx) => consume(tx, [{ ...row!, type }], now()));
  expect(t.outbox).toEqual([]);
});

import { afterAll, expect, test } from "vitest";
import { balanceOf } from "../../../../../src/domain/ledger/ledger.ts";
import type { SandboxAction } from "../../../../../src/domain/payments/cards/sandbox/payment-page.ts";
import { openOrder } from "../../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../../src/domain/payments/orders/packs.ts";
import { DAY } from "../../../../../src/platform/clock.ts";
import {
  hostedCardProcessor,
  type OpenedOrder,
  openPaymentPage,
  ordersOfAccount,
  pressButton,
} from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { type PageSeen, signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

interface Buying extends OpenedOrder {
  readonly accountId: string;
  /** Somebody who has the link and is not signed in. */
  readonly payer: User;
}

async function newOrder(): Promise<Buying> {
  const { user, accountId } = await signedIn(service, {
    email: `robin.${clock.now()}${Math.random()}@example.com`,
    paid: false,
  });
  return { accountId, payer: new User(service), ...(await openPaymentPage(service, user, accountId)) };
}

/** The buttons of the page. */
const buttonsOf = ({ forms }: PageSeen) => forms.flatMap(({ buttons }) => buttons);

const tokenIn = ({ forms }: PageSeen) => forms[0]!.fields.find(([name]) => name === "token")!;

async function statusAndBalance({ accountId }: Buying) {
  const [order] = await ordersOfAccount(service, accountId);
  return [order!.status, await balanceOf(db, accountId)];
}

test("200: says that no money moves, and shows the pack, the masked address of the account, and the expiry", async () => {
  const { payer, path, orderId } = await newOrder();
  const page = await payer.get(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Sandbox: no money moves here");
  expect(page.text).toContain("$29.99 for 500 credits");
  expect(page.text).toContain("Pack Pro For the account of r•••@example.com");
  expect(page.text).toContain(`Order ${orderId}`);
  expect(page.text).toMatch(/Expires \d+ Jan 2026, \d\d:\d\d UTC/);
  expect(page.html).not.toContain("robin");
  expect(buttonsOf(page)).toEqual(["act=pay", "act=pay_later", "act=decline"]);
});

test("200: no caching, no indexing, no referrer to other sites, no script or inline style", async () => {
  const { payer, path } = await newOrder();
  const { headers, html } = await payer.get(path);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("content-security-policy")).toContain("form-action 'self';");
  expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|\sstyle=|\son\w+=|href="https?:/);
});

const UNPAID = ["act=pay", "act=pay_later", "act=decline"];
const PAID = ["act=refund", "act=dispute"];

const CASES: readonly {
  readonly acts: readonly SandboxAction[];
  readonly status: string;
  readonly balance: number;
  readonly says: string;
  readonly offers: readonly string[];
}[] = [
  { acts: [], status: "pending", balance: 0, says: "This payment has not been made yet", offers: UNPAID },
  { acts: ["pay"], status: "paid", balance: 500, says: "The payment is complete", offers: PAID },
  { acts: ["decline"], status: "failed", balance: 0, says: "The payment failed. Nothing was paid.", offers: [] },
  {
    acts: ["pay_later"],
    status: "pending",
    balance: 0,
    says: "The transfer is on its way",
    offers: ["act=arrive", "act=bounce"],
  },
  { acts: ["pay_later", "arrive"], status: "paid", balance: 500, says: "The payment is complete", offers: PAID },
  { acts: ["pay_later", "bounce"], status: "failed", balance: 0, says: "The payment failed", offers: [] },
  { acts: ["pay", "refund"], status: "refunded", balance: 0, says: "The payment was refunded", offers: [] },
  { acts: ["pay", "dispute"], status: "disputed", balance: 0, says: "The payment is disputed", offers: ["act=win"] },
  { acts: ["pay", "dispute", "win"], status: "paid", balance: 500, says: "The payment is complete", offers: PAID },
];

test.each(CASES)(
  "303 $acts: the order is $status, the balance $balance",
  async ({ acts, status, balance, says, offers }) => {
    const buying = await newOrder();
    for (const act of acts) expect((await pressButton(buying.payer, buying.path, act)).status).toBe(303);
    expect(await statusAndBalance(buying)).toEqual([status, balance]);
    const page = await buying.payer.get(buying.path);
    expect(page.text).toContain(says);
    expect(buttonsOf(page)).toEqual(offers);
  },
);

test("303: paying redirects to the shop; other actions stay on the page and say what was done", async () => {
  const { payer, path, orderId } = await newOrder();
  const done = `/checkout/done?order=${orderId}`;
  const later = await newOrder();
  expect((await pressButton(payer, path, "pay")).location).toBe(done);
  expect((await pressButton(payer, path, "dispute")).location).toBe(`${path}?done=dispute`);
  expect((await payer.get(`${path}?done=dispute`)).text).toContain("The payer disputes the payment at their bank.");
  expect((await pressButton(later.payer, later.path, "pay_later")).location).toBe(
    `/checkout/done?order=${later.orderId}`,
  );
  expect((await pressButton(later.payer, later.path, "bounce")).location).toBe(`${later.path}?done=bounce`);
  expect((await payer.get(`${path}?done=constructor`)).html).not.toContain('class="notice');
});

test("200 after a decline: links to a new payment", async () => {
  const { payer, path } = await newOrder();
  const page = await payer.follow(await pressButton(payer, path, "decline"));
  expect(page.text).toContain("The card was declined.");
  expect(page.html).toContain('<a href="/dashboard/buy?pack=pro">');
});

test("200 after its expiry: nothing can be paid", async () => {
  const buying = await newOrder();
  const open = await buying.payer.get(buying.path);
  clock.pass(DAY);
  const closed = await buying.payer.get(buying.path);
  expect(closed.text).toContain("This payment page has expired. Nothing was paid.");
  expect(buttonsOf(closed)).toEqual([]);
  const late = await buying.payer.submit(open, { act: "pay" }, buying.path);
  expect(late.status).toBe(409);
  expect((await statusAndBalance(buying))[1]).toBe(0);
});

test("303 sent twice: one order, paid once", async () => {
  const buying = await newOrder();
  const page = await buying.payer.get(buying.path);
  const press = () => buying.payer.submit(page, { act: "pay" }, buying.path);
  const answers = await Promise.all([press(), press(), press(), press(), press()]);
  answers.push(await press());
  for (const { status, location } of answers)
    expect([status, location]).toEqual([303, `/checkout/done?order=${buying.orderId}`]);
  expect(await statusAndBalance(buying)).toEqual(["paid", 500]);
});

const EVERY: readonly SandboxAction[] = ["pay", "decline", "pay_later", "arrive", "bounce", "refund", "dispute", "win"];

/** Actions that redirect to the shop when they are sent again. */
const again = ({ balance, says }: (typeof CASES)[number]): string[] =>
  balance > 0 ? ["pay", "arrive"] : says.includes("on its way") ? ["pay_later"] : [];

test.each(CASES)("409 after $acts: an action that no longer applies changes nothing", async (way) => {
  const buying = await newOrder();
  for (const act of way.acts) await pressButton(buying.payer, buying.path, act);
  const token = tokenIn(await buying.payer.get("/sign-in"));
  const post = (act: string) => buying.payer.post(buying.path, [token, ["act", act]]);
  const isNone = (act: string) => !way.offers.includes(`act=${act}`) && !again(way).includes(act);
  for (const act of [...EVERY.filter(isNone), "", "steal", "constructor"]) {
    const page = await post(act);
    expect([act, page.status]).toEqual([act, 409]);
    expect(page.text).toContain("Nothing was changed");
  }
  for (const act of again(way)) expect((await post(act)).location).toBe(`/checkout/done?order=${buying.orderId}`);
  expect(await statusAndBalance(buying)).toEqual([way.status, way.balance]);
});

test("403: a form of another site, without the CSRF token, or with a wrong one, pays nothing", async () => {
  const buying = await newOrder();
  const { payer, path } = buying;
  const { forms } = await payer.get(path);
  const [{ fields } = { fields: [] }] = forms;
  const pay = ["act", "pay"] as const;
  const statuses = [
    await payer.post(path, [...fields, pay], { "Sec-Fetch-Site": "cross-site" }),
    await payer.post(path, [pay]),
    await payer.post(path, [["token", "x".repeat(43)], pay]),
    // Another browser.
    await new User(service).post(path, [...fields, pay]),
  ].map(({ status }) => status);
  expect(statuses).toEqual([403, 403, 403, 403]);
  expect(await statusAndBalance(buying)).toEqual(["pending", 0]);
});

test("404: an unknown payment", async () => {
  const user = new User(service);
  for (const path of ["cs_unknown", "%00", "%3Cscript%3E", "constructor", "a".repeat(4_000)]) {
    const page = await user.get(`/sandbox/pay/${path}`);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
    const token = tokenIn(await user.get("/sign-in"));
    expect((await user.post(`/sandbox/pay/${path}`, [token, ["act", "pay"]])).status).toBe(404);
  }
});

test("404 where real cards or none are taken, even for an order of the sandbox", async () => {
  for (const cards of [hostedCardProcessor(), null]) {
    const live = await testService({ payments: { cards, direct: null } });
    const { user, accountId } = await signedIn(live, { paid: false });
    if (cards) await openPaymentPage(live, user, accountId);
    const now = live.clock.now();
    const checkout = { url: "http://beckon.test/sandbox/pay/cs_left", reference: "cs_left", expiresAt: now + DAY };
    const left = { accountId, pack: PACKS[0], method: "sandbox", now, checkout } as const;
    await live.db.tx((tx) => openOrder(tx, left));
    for (const reference of ["cs_1", "cs_left"]) {
      expect((await user.get(`/sandbox/pay/${reference}`)).status).toBe(404);
      const token = tokenIn(await user.get("/dashboard"));
      expect((await user.post(`/sandbox/pay/${reference}`, [token, ["act", "pay"]])).status).toBe(404);
    }
    expect(await balanceOf(live.db, accountId)).toBe(0);
    await live.close();
  }
});

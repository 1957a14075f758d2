import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { PACKS } from "../../../../../src/domain/payments/orders/packs.ts";
import { HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { Refusal } from "../../../../../src/platform/errors/errors.ts";
import {
  buy,
  DIRECT,
  hostedCardProcessor,
  openPaymentPage,
  ordersOfAccount,
  pressButton,
} from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
const { clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/buy";

test("200: four packs with a button each, the selected one marked, and the sandbox named", async () => {
  const { user } = await signedIn(service, { paid: false });
  const page = await user.get(`${PATH}?pack=agency`);
  for (const { name } of PACKS) expect(page.html).toContain(`>Buy ${name}</button>`);
  expect(page.text).toContain("Agency $149.99 3,000 credits $0.050 each selected");
  expect(page.text).toContain("Pro $29.99 500 credits $0.060 each popular");
  expect(page.text).toContain("Sandbox. The payment page is our own, and no money moves.");
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self';");
  for (const odd of ["", "nothing", "<b>", "constructor"])
    expect((await user.get(`${PATH}?pack=${encodeURIComponent(odd)}`)).text).not.toContain("your choice");
});

test("303: a button creates an order and redirects to its payment page, on the host of the request", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const page = await buy(user, "premium");
  expect([page.status, page.headers.get("cache-control")]).toEqual([303, "no-store"]);
  expect(page.location).toMatch(/^\/sandbox\/pay\/[\w-]{20,}$/);
  const [order, ...others] = await ordersOfAccount(service, accountId);
  expect(others).toEqual([]);
  expect(order).toMatchObject({ pack: "premium", credits: 1100, amountCents: 5999, method: "sandbox" });
  expect(order).toMatchObject({ status: "pending", checkoutUrl: `http://beckon.test${page.location}` });
});

test("303: a second click continues the order of the first", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { location } = await buy(user, "basic");
  expect((await buy(user, "basic")).location).toBe(location);
  expect(await ordersOfAccount(service, accountId)).toHaveLength(1);
});

test("303: clicks at the same time create one order", async () => {
  const clicks = 3;
  let come = 0;
  let open: () => void;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  const cards = hostedCardProcessor(async () => {
    come += 1;
    if (come === clicks) open();
    await all;
  });
  const slow = await testService({ payments: { cards, direct: null } });
  const { user, accountId } = await signedIn(slow, { paid: false });
  const answers = await Promise.all(Array.from({ length: clicks }, () => buy(user, "basic")));
  const [order, ...others] = await ordersOfAccount(slow, accountId);
  expect(others).toEqual([]);
  for (const { location } of answers) expect(location).toBe(order!.checkoutUrl);
  const { windows } = slow.db.t;
  expect(await slow.db.q.select().from(windows).where(eq(windows.subject, accountId))).toMatchObject([{ count: 1 }]);
  await slow.close();
});

test("303: another pack, another account, or an order that is paid, processing, failed or about to expire: a new order", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const other = await signedIn(service, { paid: false });
  const paths = new Set<string>();
  const next = async (who = user, pack: "basic" | "pro" = "basic") => {
    const { location } = await buy(who, pack);
    expect(paths).not.toContain(location);
    paths.add(location!);
    return location!;
  };
  await next(user, "pro");
  await next(other.user);
  for (const act of ["pay", "pay_later", "decline"]) await pressButton(user, await next(), act);
  await next();
  const { expiresAt } = (await ordersOfAccount(service, accountId))[0]!;
  clock.pass(expiresAt! - clock.now() - HOUR + 1);
  await next();
  expect(await ordersOfAccount(service, accountId)).toHaveLength(6);
});

test("200: open orders are listed with a link to pay, until they are paid or expire", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { path } = await openPaymentPage(service, user, accountId, "basic");
  const second = await openPaymentPage(service, user, accountId, "agency");
  const listed = await user.get(PATH);
  expect(listed.html).toContain(`<a href="${path}">Continue to payment for Basic</a>`);
  expect(listed.html).toContain(`<a href="${second.path}">Continue to payment for Agency</a>`);
  await pressButton(user, path, "pay");
  const after = await user.get(PATH);
  expect(after.html).not.toContain(path);
  expect(after.html).toContain(second.path);
  clock.pass(24 * HOUR);
  expect((await user.get(PATH)).text).not.toContain("Open orders");
});

test("400 unknown_pack: creates no order", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const page = await user.get(PATH);
  const [, token] = page.forms.flatMap(({ fields }) => fields).find(([name]) => name === "token")!;
  for (const pack of ["", "free", "constructor", "basic "]) {
    const answer = await user.post(PATH, [
      ["token", token],
      ["pack", pack],
    ]);
    expect([pack, answer.status]).toEqual([pack, 400]);
    expect(answer.text).toContain("There is no such pack. On sale are basic, pro, premium, agency.");
  }
  const strange = [
    ["token", token],
    ["pack", "basic\0"],
  ] as const;
  expect((await user.post(PATH, strange)).status).toBe(400);
  expect(await ordersOfAccount(service, accountId)).toEqual([]);
});

test("429 rate_limited: the twenty-first order in an hour is refused on the page, and open ones can be paid", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  clock.pass(HOUR - (clock.now() % HOUR) + 10 * MINUTE);
  for (let n = 0; n < 19; n++) await pressButton(user, (await buy(user, "basic")).location!, "pay_later");
  const { path } = await openPaymentPage(service, user, accountId, "pro");
  const refused = await buy(user, "basic");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3000"]);
  expect(refused.text).toContain("You have created too many orders in this hour.");
  expect(refused.text).toContain("try again in 50 minutes");
  expect(refused.html).toContain(`<a href="${path}">Continue to payment for Pro</a>`);
  expect((await buy(user, "pro")).location).toBe(path);
  expect(await ordersOfAccount(service, accountId)).toHaveLength(20);
  clock.pass(50 * MINUTE);
  expect((await buy(user, "basic")).status).toBe(303);
});

test("303 to another site: the policy allows only that site, and the order is stored first", async () => {
  const elsewhere = await testService({ payments: { cards: hostedCardProcessor(), direct: null } });
  const { user, accountId } = await signedIn(elsewhere, { paid: false });
  const page = await user.get(PATH);
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://pay.example;");
  expect(page.text).toContain(
    "Test payments. Stripe takes test cards only, and no money moves. You pay on a page of Stripe",
  );
  expect(page.text).not.toContain("Sandbox");
  const { status, location } = await buy(user, "pro");
  expect([status, location]).toEqual([303, "https://pay.example/c/1?a=1&b='#x%2By"]);
  expect(await ordersOfAccount(elsewhere, accountId)).toMatchObject([
    { method: "stripe", reference: "cs_1", pack: "pro" },
  ]);
  const listed = await user.get(PATH);
  expect(listed.html).toContain(`<a href="https://pay.example/c/1?a=1&amp;b='#x%2By">Continue to payment for Pro</a>`);
  await elsewhere.close();
});

test("503 unavailable: the packs page says so when no payment page can be created", async () => {
  const cards = hostedCardProcessor(async () => {
    throw new Refusal("unavailable", "Payment by card cannot be reached.", {}, { "Retry-After": "15" });
  });
  const away = await testService({ payments: { cards, direct: null } });
  const { user, accountId } = await signedIn(away, { paid: false });
  const page = await buy(user, "pro");
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "15"]);
  expect(page.text).toContain("Payment by card cannot be reached.");
  expect(page.text).toContain("Pro $29.99 500 credits $0.060 each selected");
  expect(await ordersOfAccount(away, accountId)).toEqual([]);
  await away.close();
});

test("303 to sign in: no order when the session ended while the payment page was created", async () => {
  const cards = hostedCardProcessor(() => db.tx(async (tx) => void (await tx.q.delete(tx.t.sessions).returning())));
  const meanwhile = await testService({ payments: { cards, direct: null } });
  const { db } = meanwhile;
  const { user, accountId } = await signedIn(meanwhile, { paid: false });
  expect((await buy(user, "pro")).location).toBe("/sign-in");
  expect(await ordersOfAccount(meanwhile, accountId)).toEqual([]);
  await meanwhile.close();
});

test("200 without cards: no button, and a link for agents where they can pay", async () => {
  const nobody = { cards: null, direct: null };
  const plain = await testService({ payments: nobody });
  const { user } = await signedIn(plain, { paid: false });
  const page = await user.get(PATH);
  expect(page.text).toContain(
    "You cannot buy credits here: this deployment does not accept cards. Ask its operator for credits.",
  );
  expect(page.text).toContain("Pro $29.99 500 credits");
  expect(page.forms.map(({ action }) => action)).toEqual(["/sign-out"]);
  expect(page.text).not.toContain("For an agent with a wallet");
  const token = page.forms[0]!.fields.find(([name]) => name === "token")!;
  expect((await user.post(PATH, [token, ["pack", "pro"]])).status).toBe(503);
  await plain.close();

  const direct = await testService({ payments: nobody, config: { direct: DIRECT } });
  const agents = await (await signedIn(direct, { paid: false })).user.get(PATH);
  expect(agents.text).toContain("An agent can pay directly, see below.");
  expect(agents.html).toContain('<a href="/pricing#for-agents-with-a-wallet">');
  await direct.close();
});

import { afterAll, expect, test } from "vitest";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { audit } from "../src/domain/audit/audit.ts";
import { bookGrant } from "../src/domain/payments/orders/grant.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { message, poster } from "./support/mcp/post.ts";
import { linkIn } from "./support/oauth/consent.ts";
import { testService } from "./support/service/service.ts";
import { signedIn, User } from "./support/website/user.ts";

/** A service that sells nothing and lets nobody sign up: PAYMENTS=off, SIGNUP=off. */

const ASK = "https://help.example/credits";
const {
  isSelling,
  signUp: door,
  cards,
  direct,
  policies,
} = readConfig({
  PAYMENTS: "off",
  SIGNUP: "off",
  SUPPORT_URL: ASK,
});
const service = await testService({
  config: { isSelling, signUp: door, cards, direct, policies },
  payments: { cards: null, direct: null },
});
const { url, request, db, clock } = service;
afterAll(() => service.close());

const grant = (accountId: string, credits = 500) =>
  db.tx((tx) => bookGrant(tx, { accountId, credits, description: "Granted by the operator", now: clock.now() }));

test("404 purchases_disabled: buy_credits says whom to ask, over REST and over MCP", async () => {
  const { key } = await service.account();
  const { status, json } = await request("POST", "/checkout", { key, body: { pack: "basic" } });
  expect([status, json.error.code, json.error.contact]).toEqual([404, "purchases_disabled", ASK]);
  expect(json.error.message).toContain(ASK);
  const called = await poster(url)(message("tools/call", { name: "buy_credits", arguments: { pack: "basic" } }), {
    key,
  });
  expect(called.text).toContain("purchases_disabled");
});

test.each(["GET", "POST"])("404 direct_payment_disabled: %s /credits/x402 carries no price", async (method) => {
  const { key } = await service.account();
  const more = method === "POST" ? { key, body: { pack: "basic" } } : {};
  const { status, json, headers } = await request(method, "/credits/x402", more);
  expect([status, json.error.code, headers.get("payment-required")]).toEqual([404, "direct_payment_disabled", null]);
  expect(json.error.message).not.toContain("buy_credits");
});

test("402 payment_required: names whom to ask, and its buy_url leads to a page that says the same", async () => {
  const { key } = await service.account({ paid: false, credits: 0 });
  const { status, json } = await request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } });
  expect([status, json.error.code]).toEqual([402, "payment_required"]);
  expect(json.error.message).toContain(ASK);
  expect(json.error.message).not.toMatch(/buy/i);
  const page = await new User(service).get(new URL(json.error.buy_url).pathname);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(ASK)]);
});

test("200 get_pricing: says what work costs, and has no packs", async () => {
  const { json } = await request("GET", "/pricing");
  expect(json.packs).toEqual([]);
  expect(json.costs.standard_url).toBe(1);
});

const SELLING =
  /.{0,60}(?:buy_credits|pay_direct|get_direct_price|\/checkout\b|\$9\.99|"packs":\[\{|\/dashboard\/buy|sells|x402).{0,40}/gi;

test.each([
  "/openapi.json",
  "/.well-known/agent-card.json",
  "/llms.txt",
  "/postman.json",
  "/docs/mcp.md",
  "/docs/a2a.md",
  "/docs/operations.md",
  "/docs/payments.md",
  "/pricing.md",
  "/index.md",
  "/docs/operations/get_pricing.md",
])("%s offers nothing that is off", async (path) => {
  const answer = await fetch(`${url}${path}`);
  expect(answer.status).toBe(200);
  expect((await answer.text()).match(SELLING)).toBeNull();
});

test("the tools, the prompts and the instructions of MCP offer nothing that is off", async () => {
  const { key } = await service.account();
  const post = poster(url);
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  for (const [method, params] of [
    ["tools/list", {}],
    ["prompts/list", {}],
    ["initialize", client],
  ] as const)
    expect((await post(message(method, params), { key })).text.match(SELLING)).toBeNull();
});

test("a grant by order makes the account paid: it indexes, its books add up, and nobody is sent a receipt", async () => {
  const { id, key } = await service.account({ paid: false, credits: 0 });
  const { id: orderId } = await grant(id);
  const { json: order } = await request("GET", `/orders/${orderId}`, { key });
  expect(order).toMatchObject({ method: "operator", amount_cents: 0, credits: 500, status: "paid", livemode: true });
  const account = (await request("GET", "/account", { key })).json;
  expect([account.paid, account.credits]).toEqual([true, 500]);
  const { status } = await request("POST", "/projects", { key, body: { urls: ["https://example.com/granted"] } });
  expect(status).toBe(201);
  expect(await audit(db)).toMatchObject({ ok: true, problems: [] });
});

test("no page for people sells, and each says whom to ask instead", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const paths = ["", "/buy", "/orders", "/credits", "/ledger", "/keys", "/projects/new"].map(
    (end) => `/dashboard${end}`,
  );
  for (const path of ["/", "/pricing", ...paths]) {
    const page = await user.get(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect([path, page.text.match(/\b(?:Buy|buy|bought|Packs?|\$\d)\b.{0,30}/g)]).toEqual([path, null]);
  }
  expect((await user.get("/dashboard/buy")).text).toContain(ASK);
  const { id } = await grant(accountId);
  const order = await user.get(`/dashboard/orders/${id}`);
  expect(order.text).toContain("granted by the operator");
  expect(order.text).not.toMatch(/Receipt|test payment/);
});

test("404: nobody signs up, by the page or by its form, and no page leads there", async () => {
  const user = new User(service);
  expect((await user.get("/sign-up")).status).toBe(404);
  expect((await user.get("/sign-up")).text).toContain(ASK);
  for (const path of ["/", "/sign-in", "/index.md", "/forgot/sent"])
    expect((await user.get(path)).html).not.toContain('/sign-up"');
  const { forms } = await user.get("/sign-in");
  const token = forms.flatMap(({ fields }) => fields).find(([name]) => name === "token")!;
  const typed = [token, ["email", "new@example.com"], ["password", "slow heavy metal music"]] as const;
  expect((await user.post("/sign-up", typed)).status).toBe(404);
  expect(service.outbox).toEqual([]);
});

test("410: a link of a sign-up that was mailed while the door was open makes no account after it was closed", async () => {
  const open = await testService({ sharedWith: service });
  const user = new User(open);
  const form = await user.get("/sign-up");
  await user.submit(form, { email: "early@example.com", password: "slow heavy metal music" }, "/sign-up");
  const link = linkIn(open.outbox, "early@example.com");
  const letter = await user.get(link);
  const late = new User(service);
  for (const [name, value] of user.cookies) late.cookies.set(name, value);
  expect((await late.submit(letter, {}, "/confirm")).status).toBe(410);
  expect((await user.submit(letter, {}, "/confirm")).status).toBe(303);
  await open.close();
});

test("an account that the operator made chooses its password by /forgot, and is signed in", async () => {
  const now = clock.now();
  await db.tx((tx) => createAccount(tx, { email: "made@example.com", now }));
  const user = new User(service);
  await user.submit(await user.get("/forgot"), { email: "made@example.com" }, "/forgot");
  const page = await user.get(linkIn(service.outbox, "made@example.com"));
  const set = await user.submit(page, { password: "slow heavy metal music" }, "/reset");
  expect((await user.follow(set)).status).toBe(200);
});

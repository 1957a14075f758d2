import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../../../../../src/domain/audit/audit.ts";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { deleteAccounts } from "../../../../../src/domain/deletion/delete-account.ts";
import { DAY, HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { Agent, connectedAgent } from "../../../../support/oauth/agent.ts";
import { appOf } from "../../../../support/oauth/app.ts";
import { openPaymentPage, pressButton } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { SURFACES } from "../../../../support/service/surface-client.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { type Member, member, PASSWORD, signInAs } from "../../../../support/website/member.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(HOUR));

const PATH = "/dashboard/security/delete";
const PENDING = "/account/deletion";

const request = async (user: User, email: string) => user.submit(await user.get(PATH), { email }, PATH);
const carryOut = () =>
  deleteAccounts(
    { db, mailer: service.mailer, siteUrl: service.config.siteUrl },
    { now: clock.now(), service: clock.service() },
  );
const keyOf = (accountId: string) =>
  db.tx((tx) => createKey(tx, { accountId, name: "CI", mode: "sandbox", now: clock.now() }));
const balance = async (accountId: string) => {
  const { accounts } = db.t;
  return (await db.q.select().from(accounts).where(eq(accounts.id, accountId)))[0]!.credits;
};

test("the page says before what is lost, and asks for the password again when the sign-in is older than an hour", async () => {
  const { user, accountId } = await signedIn(service);
  await keyOf(accountId);
  await projectOf(service, accountId, ["https://a.example/1", "https://a.example/2"], { dripDays: 7 });
  const { text } = await user.get(PATH);
  expect(text).toContain("148 credits, and 2 credits of URLs not sent yet");
  for (const words of [
    "Running projects 1",
    "URLs not sent yet 2",
    "Running watches 0",
    "API keys 1",
    "Apps and agents 0",
  ])
    expect(text).toContain(words);
  clock.pass(61 * MINUTE);
  const again = "/sign-in?return_to=%2Fdashboard%2Fsecurity%2Fdelete&again=1";
  expect((await user.get(PATH)).location).toBe(again);
});

test("400: another address than the account's is typed; nothing ends", async () => {
  const { user, accountId } = await signedIn(service);
  const key = await keyOf(accountId);
  for (const typed of ["", "bob@example.com", "yes"]) expect((await request(user, typed)).status).toBe(400);
  expect((await service.request("GET", "/account", { key })).status).toBe(200);
  expect((await user.get("/dashboard")).status).toBe(200);
});

describe.each(Object.entries(SURFACES))("%s", (_name, connect) => {
  const client = connect(service);
  afterAll(() => client.close());

  test("401 unauthorized: a key, from the moment at which the deletion is requested, and after the account is a tombstone", async () => {
    const { user, accountId, email } = await signedIn(service);
    const key = await keyOf(accountId);
    expect((await client.call("get_account", {}, { key })).ok).toBe(true);
    await request(user, email);
    expect(await client.call("get_account", {}, { key })).toMatchObject({ status: 401, code: "unauthorized" });
    const spend = { urls: ["https://a.example/"] };
    expect(await client.call("submit_urls", spend, { key })).toMatchObject({ status: 401, code: "unauthorized" });
    clock.pass(7 * DAY);
    await carryOut();
    expect(await client.call("get_account", {}, { key })).toMatchObject({ status: 401, code: "unauthorized" });
  });
});

test("an agent at work: its token, its assertion and its poll end; one that is not claimed yet cannot be", async () => {
  const { user, email, accountId } = await signedIn(service);
  const { agent, tokens } = await connectedAgent(service, { user, email });
  const waiting = await new Agent(service).register(email);
  clock.pass(MINUTE);
  const polled = await new Agent(service).register(email);
  expect((await agent.call(tokens.access_token)).status).toBe(200);
  await request(user, email);
  expect((await agent.call(tokens.access_token)).status).toBe(401);
  expect((await agent.call(tokens.access_token, "/mcp")).status).toBe(401);
  expect((await agent.renew(tokens.identity_assertion)).body.error).toBe("invalid_grant");
  expect((await user.get(waiting.body.claim.verification_uri)).location).toBe(PENDING);
  expect((await agent.poll(polled.body.claim_token)).body.error).toBe("authorization_pending");
  clock.pass(7 * DAY);
  await carryOut();
  expect((await agent.poll(polled.body.claim_token)).body.error).not.toBe("authorization_pending");
  expect(await db.q.select().from(db.t.grants).where(eq(db.t.grants.accountId, accountId))).toEqual([]);
});

test("an app at work: its refresh token ends, and a code that it has not exchanged yet", async () => {
  const { user, email, accountId } = await signedIn(service);
  const app = appOf(service);
  const tokens = (await app.exchange(await app.code({ accountId }))).json;
  const code = await app.code({ accountId });
  expect(await app.statuses(tokens.access_token)).toEqual({ rest: 200, mcp: 200 });
  await request(user, email);
  expect(await app.statuses(tokens.access_token)).toEqual({ rest: 401, mcp: 401 });
  expect((await app.refresh(tokens.refresh_token)).json.error).toBe("invalid_grant");
  expect((await app.exchange(code)).json.error).toBe("invalid_grant");
  clock.pass(7 * DAY);
  await carryOut();
  expect((await app.refresh(tokens.refresh_token)).json.error).toBe("invalid_grant");
});

test("for seven days every page of the account leads to the one that keeps it; that has one form, and signing out works", async () => {
  const who = await member(service);
  const user = new User(service);
  await signInAs(user, who);
  expect((await request(user, who.email)).location).toBe(PENDING);
  for (const path of [
    "/dashboard",
    "/dashboard/keys",
    "/claim?attempt=x",
    "/oauth/authorize?client_id=x",
    "/dashboard/security/address",
    "/address/confirm?link=x",
  ])
    expect((await user.get(path)).location, path).toBe(PENDING);
  for (const path of ["/", "/pricing", "/docs"]) expect((await user.get(path)).status, path).toBe(200);
  const phone = new User(service);
  clock.pass(5 * DAY);
  const signIn = await phone.follow(await signInAs(phone, who));
  expect(signIn.text).toContain("Your account will be deleted");
  expect(signIn.forms.map(({ action }) => action)).toEqual([PENDING]);
  expect((await user.submit(await user.get("/sign-out"), {}, "/sign-out")).status).toBe(303);
});

test("opening the page to keep the account changes nothing; its button does, once, and the keys stay revoked", async () => {
  const { user, email, accountId } = await signedIn(service);
  const key = await keyOf(accountId);
  await request(user, email);
  const page = await user.get(PENDING);
  await user.get(PENDING);
  expect((await user.get("/dashboard")).location).toBe(PENDING);
  const kept = await user.follow(await user.submit(page, {}, PENDING));
  expect(kept.text).toContain("Your account is kept");
  expect((await user.get(PENDING)).location).toBe("/dashboard");
  expect((await service.request("GET", "/account", { key })).status).toBe(401);
  clock.pass(8 * DAY);
  await carryOut();
  expect(await balance(accountId)).toBe(150);
});

test("303: a form of a page that was open before does nothing", async () => {
  const { user, email, accountId } = await signedIn(service);
  const keys = await user.get("/dashboard/keys");
  const buy = await user.get("/dashboard/buy");
  await request(user, email);
  expect((await user.submit(keys, { name: "late" }, "/dashboard/keys")).location).toBe(PENDING);
  expect(
    (await user.post("/dashboard/buy", buy.forms.find(({ action }) => action === "/dashboard/buy")!.fields)).location,
  ).toBe(PENDING);
  expect(await db.q.select().from(db.t.apiKeys).where(eq(db.t.apiKeys.accountId, accountId))).toEqual([]);
  expect(await db.q.select().from(db.t.orders).where(eq(db.t.orders.accountId, accountId))).toHaveLength(1);
});

test("a payment page that was open when the account was deleted: paid late, it is booked, gives nothing, and is an error in the log", async () => {
  const { user, email, accountId } = await signedIn(service);
  const { path, orderId } = await openPaymentPage(service, user, accountId);
  await request(user, email);
  expect((await user.get(path)).status).toBe(200);
  clock.pass(7 * DAY);
  await carryOut();
  const { orders, ledger } = db.t;
  await db.tx((tx) =>
    tx.q
      .update(orders)
      .set({ expiresAt: clock.now() + DAY })
      .where(eq(orders.id, orderId)),
  );
  const before = service.errors.length;
  await pressButton(new User(service), path, "pay");
  const [order] = await db.q.select().from(orders).where(eq(orders.id, orderId));
  expect([order!.status, await balance(accountId)]).toEqual(["paid", 0]);
  const entries = await db.q.select().from(ledger).where(eq(ledger.accountId, accountId)).orderBy(ledger.no);
  expect(entries.slice(-2).map(({ kind, credits }) => [kind, credits])).toEqual([
    ["purchase", order!.credits],
    ["adjustment", -order!.credits],
  ]);
  expect(service.errors.slice(before)).toEqual([{ order: orderId, status: "paid", account: accountId }]);
  expect((await audit(db)).problems).toEqual([]);
});

test("paid within the seven days: the credits are there for whoever keeps the account", async () => {
  const { user, email, accountId } = await signedIn(service);
  const { path } = await openPaymentPage(service, user, accountId, "basic");
  await request(user, email);
  await pressButton(user, path, "pay");
  await user.submit(await user.get(PENDING), {}, PENDING);
  expect(await balance(accountId)).toBe(300);
});

test("the address opens a new account, which has nothing of the old one", async () => {
  const who: Member = await member(service);
  const user = new User(service);
  await signInAs(user, who);
  await request(user, who.email);
  clock.pass(7 * DAY);
  await carryOut();
  expect((await user.get("/dashboard")).location).toContain("/sign-in");
  expect((await signInAs(new User(service), who)).status).toBe(401);
  const anew = new User(service);
  await anew.submit(await anew.get("/sign-up"), { email: who.email, password: PASSWORD });
  const link = /http:\/\/beckon\.test(\/confirm\?link=\S+)/.exec(service.outbox.at(-1)!.text)![1]!;
  await anew.submit(await anew.get(link), {}, "/confirm");
  const log = await anew.get("/dashboard/security");
  expect(log.text).toContain("Account opened");
  expect(log.text).not.toContain("Deletion");
});

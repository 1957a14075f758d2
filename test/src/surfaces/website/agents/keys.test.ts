import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { createKey, keysOf } from "../../../../../src/domain/credentials/keys.ts";
import { MINUTE } from "../../../../../src/platform/clock.ts";
import { securityLogOf } from "../../../../support/database/people.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, statusOf } from "../../../../support/website/account-fixtures.ts";
import { type Fill, type PageSeen, signedIn, type User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/keys";
const keyIn = ({ text }: PageSeen) => /bk_test_[\w-]{32}/.exec(text)?.[0] ?? null;
const make = async (user: User, fill: Fill = {}) => user.submit(await user.get(PATH), { name: "CI", ...fill }, PATH);
const active = async (accountId: string) => (await keysOf(db, accountId)).length;

test("200: a key is created, shown once, used, revoked, and refused at the next call", async () => {
  const { user, accountId, email } = await signedIn(service);
  expect((await user.get(PATH)).text).toContain("You have no API keys yet");
  const made = await make(user, { name: HOSTILE });
  expect(service.outbox).toMatchObject([{ to: email, subject: "An API key was created for your Beckon account" }]);
  expect(service.outbox[0]!.text).not.toContain(keyIn(made)!);
  expect([made.status, made.headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
  expect(made.html).toContain(ESCAPED);
  expect(made.html).not.toContain("<b onclick");
  const key = keyIn(made)!;
  expect(made.text).toContain(`export BECKON_API_KEY=${key}`);
  const account = await service.request("GET", "/account", { key });
  expect(account.json).toMatchObject({ id: accountId, credential: { scopes: ["read", "index", "purchase"] } });

  const list = await user.get(PATH);
  expect(list.text).toContain("1 active key of at most 10");
  expect(list.html).toContain(ESCAPED);
  expect(list.text).toContain(`****${key.slice(-4)}`);
  expect(list.html).not.toContain(key);
  const [{ id } = { id: "" }] = await keysOf(db, accountId);
  const revoked = await user.submit(list, {}, `${PATH}/${id}/revoke`);
  expect([revoked.status, revoked.location]).toEqual([303, `${PATH}?done=revoked`]);
  expect((await user.follow(revoked)).text).toContain("The key is revoked");
  expect(await statusOf(service, key)).toBe(401);
  expect((await user.submit(list, {}, `${PATH}/${id}/revoke`)).status).toBe(404);

  const { rows } = await securityLogOf(db, accountId, { limit: 10, offset: 0 });
  const ending = key.slice(-4);
  expect(rows.map(({ kind, subject, ip }) => [kind, subject, ip])).toEqual([
    ["key_revoked", `${HOSTILE} ****${ending}`, "127.0.0.1"],
    ["key_created", `${HOSTILE} ****${ending}`, "127.0.0.1"],
  ]);
});

test("403 insufficient_scope: a key lacks what was unticked", async () => {
  const { user } = await signedIn(service);
  const key = keyIn(await make(user, { scope: ["read", "everything"] }))!;
  const body = { urls: ["https://example.com/"] };
  expect((await service.request("GET", "/projects", { key })).status).toBe(200);
  expect((await service.request("POST", "/projects", { key, body })).json.error).toMatchObject({
    code: "insufficient_scope",
    required_scope: "index",
  });
});

test("400 for a missing or bad name, or no scope: no key, and the form keeps the rest", async () => {
  const { user, accountId } = await signedIn(service);
  const bad: readonly (readonly [Fill, string])[] = [
    [{ name: " " }, "Give the key a name"],
    [{ name: "x".repeat(121) }, "at most 120 characters"],
    [{ name: "a\u0000b" }, "contains characters that are not allowed"],
    [{ scope: null }, "Tick at least one"],
    [{ scope: ["everything"] }, "Tick at least one"],
  ];
  for (const [fill, why] of bad) {
    const page = await make(user, fill);
    expect(page.status).toBe(400);
    expect(page.text).toContain(why);
  }
  const again = await make(user, { name: HOSTILE, scope: null });
  const form = again.forms.find(({ action }) => action === PATH)!;
  expect(form.fields).toContainEqual(["name", HOSTILE]);
  expect(form.fields.map(([name]) => name)).not.toContain("scope");
  for (const id of ["", "key_1", "ord_0123456789abcdefghjk", "key_0123456789ABCDEFGHJK"])
    expect((await make(user, { id })).status).toBe(400);
  expect(await active(accountId)).toBe(0);
});

test("402 payment_required: an unpaid account has no form, and cannot send one", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const page = await user.get(PATH);
  expect(page.forms.map(({ action }) => action)).toEqual(["/sign-out"]);
  expect(page.html).toContain('<a href="/dashboard/buy">Buy a pack</a>');
  expect((await sendAnyway(user, page)).status).toBe(402);
  expect(await active(accountId)).toBe(0);
});

test("402: no key for an account without a confirmed address", async () => {
  const { user, accountId } = await signedIn(service, { verified: false });
  const page = await user.get(PATH);
  expect(page.forms.map(({ action }) => action)).toEqual(["/sign-out"]);
  expect(page.text).toContain("once your e-mail address is confirmed");
  expect((await sendAnyway(user, page)).status).toBe(402);
  expect(await active(accountId)).toBe(0);
});

test("303 to sign in again more than 60 minutes after the last sign-in, for the form and for sending it", async () => {
  const { user, accountId } = await signedIn(service);
  const open = await user.get(PATH);
  clock.pass(60 * MINUTE);
  expect((await user.submit(open, { name: "still" }, PATH)).status).toBe(200);
  clock.pass(1);
  const stale = await user.get(PATH);
  expect(stale.forms.map(({ action }) => action)).not.toContain(PATH);
  expect(stale.html).toContain('href="/sign-in?return_to=%2Fdashboard%2Fkeys&amp;again=1"');
  const late = await user.submit(open, { name: "late" }, PATH);
  expect([late.status, late.location]).toEqual([303, "/sign-in?return_to=%2Fdashboard%2Fkeys&again=1"]);
  expect(await active(accountId)).toBe(1);
});

test("409: the same form sent again, as by reloading, creates no second key and shows none", async () => {
  const { user, accountId } = await signedIn(service);
  const page = await user.get(PATH);
  const answers = await Promise.all([1, 2, 3].map(() => user.submit(page, { name: "once" }, PATH)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.filter((answer) => keyIn(answer) !== null)).toHaveLength(1);
  expect(await active(accountId)).toBe(1);
  const [key] = await keysOf(db, accountId);
  await user.submit(await user.get(PATH), {}, `${PATH}/${key!.id}/revoke`);
  expect((await user.submit(page, { name: "once" }, PATH)).status).toBe(409);
  expect(await active(accountId)).toBe(0);
});

test("409: the id of another account's key gives no access to it", async () => {
  const mine = await signedIn(service);
  const other = await signedIn(service);
  const key = keyIn(await make(other.user))!;
  const [{ id } = { id: "" }] = await keysOf(db, other.accountId);
  const page = await make(mine.user, { id });
  expect([page.status, keyIn(page)]).toEqual([409, null]);
  const path = `${PATH}/${id}/revoke`;
  const token = await tokenOf(mine.user);
  expect((await mine.user.post(path, [["token", token]])).status).toBe(404);
  expect((await mine.user.get(PATH)).html).not.toContain(id);
  expect(await statusOf(service, key)).toBe(200);
});

test("400: of 12 forms at once 10 create a key, and then there is no form", async () => {
  const { user, accountId } = await signedIn(service);
  const forms = await Promise.all(Array.from({ length: 12 }, () => user.get(PATH)));
  const answers = await Promise.all(forms.map((page, n) => user.submit(page, { name: `key ${n}` }, PATH)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 400, 400]);
  expect(await active(accountId)).toBe(10);
  const first = answers.findIndex(({ status }) => status === 200);
  expect((await user.submit(forms[first]!, { name: "again" }, PATH)).status).toBe(409);
  const full = await user.get(PATH);
  expect(full.text).toContain("10 active keys, which is the maximum");
  expect(full.forms.map(({ action }) => action)).not.toContain(PATH);
});

test("200: the list shows when a key was last used, and keys created by the operator", async () => {
  const { user, accountId } = await signedIn(service);
  const now = clock.now();
  await db.tx((tx) => createKey(tx, { accountId, name: "by the operator", mode: "sandbox", now }));
  expect((await user.get(PATH)).text).toContain("by the operator");
  expect((await user.get(PATH)).text).toContain("Never used");
  const { apiKeys } = db.t;
  await db.tx((tx) =>
    tx.q.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.accountId, accountId)).returning(),
  );
  clock.pass(3 * MINUTE);
  expect((await user.get(PATH)).text).toMatch(/Last used \d+ Jan 2026, \d\d:\d\d UTC 3 minutes ago/);
});

async function tokenOf(user: User): Promise<string> {
  const { forms } = await user.get("/dashboard");
  return forms[0]!.fields.find(([name]) => name === "token")![1];
}

/** Sends the form although the page does not have it. */
async function sendAnyway(user: User, { forms }: PageSeen): Promise<PageSeen> {
  const token = forms[0]!.fields.find(([name]) => name === "token")!;
  return user.post(PATH, [token, ["id", "key_0123456789abcdefghjk"], ["name", "k"], ["scope", "read"]]);
}

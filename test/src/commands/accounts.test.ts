import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { principalOfKey } from "../../../src/domain/credentials/identify.ts";
import { entriesOf } from "../../../src/domain/ledger/ledger.ts";
import { isPaid, orderOf } from "../../../src/domain/payments/orders/orders.ts";
import { DAY, iso } from "../../../src/platform/clock.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { openInstance } from "../../../src/process/instance.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";

let env: { DATABASE_URL: string };
beforeEach(async () => {
  env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await beckon(env, "migrate");
});

test.each([
  [["--paid", "--credits", "77"], 77, true, ["purchase"]],
  [["--paid"], 150, true, ["purchase"]],
  [["--paid", "--credits", "0"], 0, true, []],
  [["--credits", "5"], 5, false, ["adjustment"]],
  [[], 0, false, []],
])("account create %j: %d credits, paid %s", async (args, credits, paid, kinds) => {
  const { code, json } = await create("ann@example.com", "--name", "Ann", ...args);
  expect(code).toBe(0);
  expect(json).toEqual({
    account: { id: expect.stringMatching(/^acc_/), email: "ann@example.com", name: "Ann", credits, paid },
    api_key: expect.stringMatching(/^bk_test_/),
  });
  const { db } = await opened();
  expect((await entriesOf(db, json.account.id, { limit: 10, offset: 0 })).rows.map(({ kind }) => kind)).toEqual(kinds);
  expect((await principalOfKey(db, json.api_key, Date.now()))?.credential.scopes).toEqual([
    "read",
    "index",
    "purchase",
  ]);
  expect(await beckon(env, "audit", "--json")).toMatchObject({ code: 0, json: { ok: true, accounts: 1 } });
});

test("exit 0 account create: says what an account that is not paid can do, and where nothing is sold, what lets it index", async () => {
  const line = ["account", "create", "--email"];
  const selling = await beckon(env, ...line, "ann@example.com");
  expect(selling.out).toContain("Credits   0 (not paid yet: it can read and buy, not index)\n");
  const granting = { ...env, PAYMENTS: "off" };
  const { code, out } = await beckon(granting, ...line, "bob@example.com");
  expect([code, out]).toEqual([0, expect.stringContaining("Credits   0 (not paid yet: it can read, not index)\n")]);
  const [, next] = /^To let it index: npm run -s beckon -- (.+)$/m.exec(out)!;
  expect((await beckon(granting, ...next!.split(" "))).code).toBe(0);
  const shown = await beckon(granting, "account", "show", "--email", "bob@example.com", "--json");
  expect(shown.json).toMatchObject({ paid: true, credits: 1_000 });
  expect((await beckon(granting, ...line, "eve@example.com", "--paid")).out).not.toContain("To let it index");
});

test("exit 1 account create: the address has an account already; nothing changes", async () => {
  await create("ann@example.com");
  const { code, err } = await beckon(env, "account", "create", "--email", "ANN@example.com", "--credits", "9");
  expect(code).toBe(1);
  expect(err).toMatch(/There is already an account for ann@example.com/);
  expect((await beckon(env, "audit", "--json")).json).toMatchObject({ ok: true, accounts: 1, entries: 0 });
});

test("credits grant: makes an adjustment, for an address or an id, also to a negative balance", async () => {
  const { json } = await create("ann@example.com", "--credits", "5");
  const more = await beckon(env, "credits", "grant", "--email", "Ann@Example.com", "--credits", "10", "--json");
  expect(more.json).toEqual({ account_id: json.account.id, credits: 10, balance: 15 });
  const args = ["--account", json.account.id, "--credits=-20", "--reason", "Booked twice"];
  expect((await beckon(env, "credits", "grant", ...args, "--json")).json.balance).toBe(-5);
  const { db } = await opened();
  const { rows } = await entriesOf(db, json.account.id, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ kind: "adjustment", credits: -20, balanceAfter: -5, description: "Booked twice" });
});

test("credits grant --order: books a paid order of amount 0, by which the account counts as paid", async () => {
  const { json } = await create("ann@example.com");
  expect(json.account.paid).toBe(false);
  const args = ["credits", "grant", "--email", "ann@example.com", "--order", "--json"];
  const granted = (await beckon(env, ...args, "--credits", "40", "--reason", "Team budget")).json;
  const { db } = await opened();
  expect(await orderOf(db, json.account.id, granted.order_id)).toMatchObject({
    method: "operator",
    amountCents: 0,
    credits: 40,
    status: "paid",
    receiptNo: null,
  });
  expect(await isPaid(db, json.account.id)).toBe(true);
  const { rows } = await entriesOf(db, json.account.id, { limit: 9, offset: 0 });
  expect(rows).toMatchObject([{ kind: "purchase", credits: 40, description: "Team budget", balanceAfter: 40 }]);
});

test.each(["0", "-5"])("exit 2 credits grant --order: --credits=%s gives nothing", async (credits) => {
  await create("ann@example.com");
  const { code } = await beckon(
    env,
    "credits",
    "grant",
    "--email",
    "ann@example.com",
    "--order",
    `--credits=${credits}`,
  );
  expect(code).toBe(2);
});

test("exit 1 credits grant: the account is unknown", async () => {
  const { code, err } = await beckon(env, "credits", "grant", "--email", "no@example.com", "--credits", "1");
  expect({ code, err }).toEqual({ code: 1, err: "beckon: There is no account no@example.com.\n" });
});

test("exit 1 credits grant: the account was deleted", async () => {
  const { json } = await create("ann@example.com");
  const { id } = json.account;
  const { db } = await opened();
  await db.tx((tx) => tx.q.update(tx.t.accounts).set({ deletedAt: 1 }));
  const { code, err } = await beckon(env, "credits", "grant", "--account", id, "--credits", "1");
  expect({ code, err }).toEqual({ code: 1, err: `beckon: The account ${id} was deleted.\n` });
});

test("account disable, enable, show and list: say the state and its reason; the ledger is untouched", async () => {
  const { json } = await create("ann@example.com", "--paid");
  await create("bob@example.com");
  const { id } = json.account;
  const reason = "Complaints about your pages reached us.";
  const disabled = await beckon(env, "account", "disable", "--email", "ann@example.com", "--reason", reason, "--json");
  expect(disabled.json).toEqual({ account_id: id, disabled: true, reason });
  const shown = (await beckon(env, "account", "show", "--account", id, "--json")).json;
  expect(shown).toMatchObject({ id, credits: 150, paid: true, keys: 1, disabled_reason: reason });
  const addresses = async (...args: string[]) =>
    (await beckon(env, "account", "list", ...args, "--json")).json.accounts.map(
      ({ email }: { email: string }) => email,
    );
  expect((await addresses()).toSorted()).toEqual(["ann@example.com", "bob@example.com"]);
  expect(await addresses("--disabled")).toEqual(["ann@example.com"]);
  expect((await beckon(env, "account", "list", "--limit", "1", "--json")).json.has_more).toBe(true);
  expect((await beckon(env, "account", "enable", "--account", id)).out).toBe("ann@example.com is enabled\n");
  const again = await beckon(env, "account", "enable", "--account", id);
  expect([again.code, again.out]).toEqual([0, "ann@example.com was not disabled, and nothing has changed\n"]);
  expect(await addresses("--disabled")).toEqual([]);
  expect(await beckon(env, "audit", "--json")).toMatchObject({ code: 0, json: { ok: true } });
});

test.each([[["account", "show"]], [["account", "disable", "--reason", "x"]], [["account", "enable"]], [["orders"]]])(
  "exit 1 %j: the account is unknown",
  async (line) => {
    const { code, err } = await beckon(env, ...line, "--account", "acc_0000000000000000000000");
    expect([code, err]).toEqual([1, "beckon: There is no account acc_0000000000000000000000.\n"]);
  },
);

test("orders: lists them, newest first", async () => {
  const { json } = await create("ann@example.com", "--paid");
  const { orders, has_more } = (await beckon(env, "orders", "--account", json.account.id, "--json")).json;
  expect([orders.length, has_more]).toEqual([1, false]);
  expect(orders[0]).toMatchObject({
    status: "paid",
    method: "sandbox",
    credits: 150,
    id: expect.stringMatching(/^ord_/),
  });
  await create("bob@example.com");
  expect((await beckon(env, "orders", "--email", "bob@example.com")).out).toBe("The account has no orders.\n");
});

test("key revoke: ends one key at once; exit 1 for one that is unknown or revoked", async () => {
  const { json } = await create("ann@example.com");
  const { db } = await opened();
  const { credential } = (await principalOfKey(db, json.api_key, Date.now()))!;
  const revoke = () => beckon(env, "key", "revoke", "--id", credential.id);
  expect(await revoke()).toMatchObject({ code: 0, out: `${credential.id} is revoked\n` });
  expect(await principalOfKey(db, json.api_key, Date.now())).toBeNull();
  const again = await revoke();
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringContaining(`There is no key ${credential.id} that could be`),
  ]);
});

test("key create: makes a second key with the requested scopes", async () => {
  await create("ann@example.com");
  const { json } = await beckon(
    env,
    "key",
    "create",
    "--email",
    "ann@example.com",
    "--name",
    "ci",
    "--scopes",
    "index,read",
    "--json",
  );
  const { db } = await opened();
  expect((await principalOfKey(db, json.api_key, Date.now()))?.credential).toMatchObject({
    name: "ci",
    scopes: ["read", "index"],
  });
});

test("key create: limits what a key may spend; what is no whole number is refused", async () => {
  await create("ann@example.com");
  const args = [
    "--email",
    "ann@example.com",
    "--name",
    "agent",
    "--per-call",
    "5",
    "--per-day",
    "10",
    "--per-month",
    "100",
  ];
  const made = await beckon(env, "key", "create", ...args, "--total", "500", "--approve-above", "2", "--json");
  const limits = { per_call: 5, per_day: 10, per_month: 100, total: 500, approve_above: 2 };
  expect(made.json).toMatchObject({ name: "agent", limits });
  for (const wrong of ["-1", "1.5", "many", "99999999999", ""])
    expect((await beckon(env, "key", "create", ...args, `--total=${wrong}`)).err).toContain("--total: a whole number");
});

test("key create --expires and key list: the last day of a key, its end, and its calls", async () => {
  await create("ann@example.com");
  const own = ["--email", "ann@example.com"];
  const last = iso(Date.now() + 3 * DAY).slice(0, 10);
  const made = await beckon(env, "key", "create", ...own, "--name", "ci", "--expires", last, "--json");
  const end = iso(Date.parse(last) + DAY);
  expect(made.json).toMatchObject({ name: "ci", expires_at: end });
  const { json } = await beckon(env, "key", "list", ...own, "--json");
  expect(json.keys).toMatchObject([
    { name: "ci", scopes: ["read", "index", "purchase"], expires_at: end, has_ended: false, calls_in_30_days: 0 },
    { expires_at: null, has_ended: false },
  ]);
  expect(JSON.stringify(json)).not.toContain(made.json.api_key);
  expect((await beckon(env, "key", "list", ...own)).out).toContain(`ends after ${last}  0 calls in 30 days`);
  const wrong = await beckon(env, "key", "create", ...own, "--name", "x", "--expires", "2020-01-01");
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--expires")]);
});

function create(email: string, ...args: string[]) {
  return beckon(env, "account", "create", "--email", email, ...args, "--json");
}

async function opened() {
  const instance = await openInstance(readConfig(env));
  onTestFinished(() => instance.db.close());
  return instance;
}

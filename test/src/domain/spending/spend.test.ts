import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accessOfMaker } from "../../../../src/domain/credentials/access.ts";
import { revokeKey } from "../../../../src/domain/credentials/keys.ts";
import { principalIn } from "../../../../src/domain/credentials/may-act.ts";
import { entriesOf } from "../../../../src/domain/ledger/ledger.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { createProject } from "../../../../src/domain/projects/create.ts";
import { digestOf } from "../../../../src/domain/projects/purpose.ts";
import { decideApproval, MAX_OPEN, requestApproval } from "../../../../src/domain/spending/approvals.ts";
import { budgetOf, budgetsOf, setLimits } from "../../../../src/domain/spending/budgets.ts";
import { ACCOUNT } from "../../../../src/domain/spending/holder.ts";
import { NO_LIMITS, type SpendingLimits } from "../../../../src/domain/spending/limits.ts";
import { spendingOf } from "../../../../src/domain/spending/read.ts";
import { ApprovalNeeded, type Cost, LimitExceeded, spendCredits } from "../../../../src/domain/spending/spend.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import type { Principal } from "../../../../src/platform/principal.ts";
import { packUrls } from "../../../../src/platform/urls/packed-urls.ts";
import { isOnPostgres } from "../../../support/database/database.ts";
import { keyPrincipal } from "../../../support/database/key-principal.ts";
import { newMember, ownerPrincipal } from "../../../support/database/people.ts";
import { pages, type TestStore, testStore } from "../../../support/database/store.ts";

let store: TestStore;
let account: string;
let caller: Principal;
beforeEach(async () => {
  store = await testStore();
  account = await store.account(10_000);
  caller = await keyPrincipal(store.db, account);
});
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
  await store.close();
});

const now = () => store.clock.now();
const key = () => ({ accountId: account, holder: caller.credential.holder });
const limit = (limits: Partial<SpendingLimits>) =>
  store.db.tx((tx) => setLimits(tx, key(), { ...NO_LIMITS, ...limits }));
const spending = async () => spendingOf(await budgetOf(store.db, key()), now());

/** The caller as it is identified by its next call. */
const keyPrincipalNow = async () => principalIn((await accessOfMaker(store.db, account, caller.credential.id))!);

const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;

const draftOf = (credits: number) => {
  const times = { now: now(), service: store.clock.service() };
  return { ...draft, accountId: account, urls: packUrls(pages(credits)), ...times };
};

/** Submits so many URLs, a credit each. @returns the limit that refused it, `approval`, or null */
async function spend(credits: number, { input = "a", principal = caller } = {}): Promise<string | null> {
  const spender = { principal, operation: "submit_urls", inputHash: () => input };
  try {
    await store.db.tx((tx) => createProject(tx, { ...draftOf(credits), spender }));
    return null;
  } catch (thrown) {
    if (thrown instanceof LimitExceeded) return thrown.exceeded.limit;
    if (thrown instanceof ApprovalNeeded) return "approval";
    throw thrown;
  }
}

describe("limits", () => {
  test("law: without limits everything is counted and nothing refused", async () => {
    expect(await spend(7)).toBeNull();
    expect(await spend(3)).toBeNull();
    expect(await spending()).toMatchObject({
      spent: { today: 10, thisMonth: 10, total: 10 },
      remaining: { call: null, day: null, month: null, total: null },
    });
  });

  test.each([
    ["perCall", { perCall: 5 }, 5],
    ["perDay", { perDay: 5 }, 5],
    ["perMonth", { perMonth: 5 }, 5],
    ["total", { total: 5 }, 5],
  ] as const)("law: %s is reached exactly and never passed", async (name, limits, most) => {
    await limit(limits);
    expect(await spend(most + 1)).toBe(name);
    expect(await store.balance(account)).toBe(10_000);
    expect(await spend(most)).toBeNull();
    expect(await spend(1)).toBe(name === "perCall" ? null : name);
  });

  test("law: of forty calls at once with one credit left, one goes through", async () => {
    await limit({ total: 3 });
    expect(await spend(2)).toBeNull();
    const answers = await Promise.all(Array.from({ length: 40 }, () => spend(1)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(answers.filter((answer) => answer === "total")).toHaveLength(39);
    expect((await spending()).spent.total).toBe(3);
  });

  test("law: a day ends at midnight UTC, a month with its last day, and the total never", async () => {
    await limit({ perDay: 2, perMonth: 3, total: 4 });
    expect(await spend(2)).toBeNull();
    expect(await spend(1)).toBe("perDay");
    store.clock.pass(DAY);
    expect(await spend(2)).toBe("perMonth");
    expect(await spend(1)).toBeNull();
    store.clock.pass(31 * DAY);
    expect(await spend(2)).toBe("total");
    expect(await spend(1)).toBeNull();
  });

  test("law: a clock that goes back over midnight gives no day twice", async () => {
    await limit({ perDay: 2 });
    expect(await spend(2)).toBeNull();
    store.clock.pass(-DAY);
    expect(await spend(1)).toBe("perDay");
    store.clock.pass(2 * DAY);
    expect(await spend(2)).toBeNull();
  });

  test("law: a clock that goes back over the end of a month gives no month twice", async () => {
    await limit({ perMonth: 2 });
    expect(await spend(2)).toBeNull();
    store.clock.pass(-31 * DAY);
    expect(await spend(1)).toBe("perMonth");
    store.clock.pass(31 * DAY);
    expect(await spend(1)).toBe("perMonth");
    store.clock.pass(31 * DAY);
    expect(await spend(2)).toBeNull();
  });

  test("law: credits that come back do not refill a budget", async () => {
    await limit({ total: 5 });
    expect(await spend(5)).toBeNull();
    const [project] = await store.db.q.select().from(store.db.t.projects);
    const times = { now: now(), service: store.clock.service() };
    await store.db.tx((tx) => cancelLinks(tx, project!, null, times));
    expect(await store.balance(account)).toBe(10_000);
    expect(await spend(1)).toBe("total");
  });

  test("law: a lowered limit holds for the next call, and what was spent stays", async () => {
    await limit({ total: 100 });
    expect(await spend(10)).toBeNull();
    await limit({ total: 10 });
    expect(await spend(1)).toBe("total");
    expect(await spending()).toMatchObject({ spent: { total: 10 }, remaining: { total: 0, call: 0 } });
    await limit({});
    expect(await spend(1)).toBeNull();
  });

  test("law: a key that was revoked or has ended after it was identified spends nothing", async () => {
    const { apiKeys } = store.db.t;
    await store.db.tx((tx) => tx.q.update(apiKeys).set({ expiresAt: now() }).returning());
    await expect(spend(1)).rejects.toMatchObject({ code: "unauthorized" });
    await store.db.tx((tx) =>
      tx.q
        .update(apiKeys)
        .set({ expiresAt: now() + 1 })
        .returning(),
    );
    expect(await spend(1)).toBeNull();
    await store.db.tx((tx) => revokeKey(tx, caller.credential.id, now()));
    await expect(spend(1)).rejects.toMatchObject({ code: "unauthorized" });
    expect(await store.balance(account)).toBe(9_999);
  });

  test("law: of forty calls of a member at once, at the website and by two apps, one fits into the last credit", async () => {
    const { db } = store;
    const personId = await db.tx((tx) =>
      newMember(tx, { accountId: account, role: "member", email: "m@example.com", now: now() }),
    );
    const connect = async (name: string) => {
      const grant = { accountId: account, personId, kind: "oauth", clientId: name, name, scopes: ["index"] } as const;
      const maker = await db.tx((tx) => createGrant(tx, { ...grant, now: now() }));
      return principalIn((await accessOfMaker(db, account, maker))!);
    };
    const website = principalIn((await accessOfMaker(db, account, personId))!);
    const doors = [website, await connect("app"), await connect("other")];
    await db.tx((tx) => setLimits(tx, { accountId: account, holder: personId }, { ...NO_LIMITS, total: 4 }));
    for (const principal of doors) expect(await spend(1, { principal })).toBeNull();
    const calls = Array.from({ length: 40 }, (_, at) => spend(1, { principal: doors[at % 3]! }));
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(answers.filter((answer) => answer === "memberTotal")).toHaveLength(39);
    expect((await budgetOf(db, { accountId: account, holder: personId }))!.spent).toBe(4);
    expect(await store.balance(account)).toBe(9_996);
    expect(await spend(5)).toBeNull();
  });

  test.each([
    ["memberCall", { perCall: 5 }],
    ["memberDay", { perDay: 5 }],
    ["memberMonth", { perMonth: 5 }],
  ] as const)("law: %s holds for a key of the member, which has no limits itself", async (name, limits) => {
    const holder = caller.personId!;
    await store.db.tx((tx) => setLimits(tx, { accountId: account, holder }, { ...NO_LIMITS, ...limits }));
    expect(await spend(6)).toBe(name);
    expect(await spend(5)).toBeNull();
  });

  test("503: a key that was handed over after it was identified spends nothing, and does at the next call", async () => {
    const { db } = store;
    const { apiKeys } = db.t;
    const heir = await db.tx((tx) =>
      newMember(tx, { accountId: account, role: "owner", email: "h@example.com", now: now() }),
    );
    await db.tx((tx) => tx.q.update(apiKeys).set({ personId: heir }).returning());
    await expect(spend(1)).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
    expect(await spend(1, { principal: await keyPrincipalNow() })).toBeNull();
  });

  test.each([
    ["accountDay", { perDay: 5 }],
    ["accountMonth", { perMonth: 5 }],
  ] as const)("law: the budget of the account holds for every key: %s", async (name, limits) => {
    await store.db.tx((tx) => setLimits(tx, { accountId: account, holder: ACCOUNT }, { ...NO_LIMITS, ...limits }));
    expect(await spend(6)).toBe(name);
    expect(await spend(5)).toBeNull();
    expect((await spending()).spent.total).toBe(5);
  });

  test("law: several projects of one call are one spend, for which the balance is enough or nothing is spent", async () => {
    const costs = (...credits: [number, ...number[]]) =>
      credits.map((each, at) => ({ credits: each, projectId: `prj_${at}`, description: "x" })) as [Cost, ...Cost[]];
    const pay = (credits: [number, ...number[]], more: object = {}) =>
      store.db.tx((tx) =>
        spendCredits(tx, {
          ...{
            accountId: account,
            now: now(),
            costs: costs(...credits),
            digest: () => "",
            purpose: () => ({}) as never,
          },
          spender: { principal: caller, operation: "submit_urls", inputHash: () => "a", ...more },
        }),
      );
    await expect(pay([4_000, 6_001])).rejects.toMatchObject({ fields: { needed: 10_001, balance: 10_000 } });
    await limit({ perCall: 9 });
    await expect(pay([5, 5])).rejects.toThrow(LimitExceeded);
    await expect(pay([5, 4], { agreed: { credits: 8 } })).rejects.toMatchObject({ credits: 9, agreed: 8 });
    expect(await store.balance(account)).toBe(10_000);
    expect(await pay([5, 4], { agreed: { credits: 9 } })).toBe(9_991);
    expect((await spending()).spent.total).toBe(9);
    const { rows } = await entriesOf(store.db, account, { limit: 2, offset: 0 });
    expect(rows.map(({ credits, projectId }) => [credits, projectId])).toEqual([
      [-4, "prj_1"],
      [-5, "prj_0"],
    ]);
  });

  test("the budgets of several holders are read at once, and only those of the account", async () => {
    expect(await spend(3)).toBeNull();
    const other = await store.account(0);
    await store.db.tx((tx) => setLimits(tx, { accountId: other, holder: ACCOUNT }, NO_LIMITS));
    const found = async (accountId: string, ...holders: string[]) =>
      [...(await budgetsOf(store.db, accountId, holders))].map(([holder, { spent }]) => [holder, spent]).sort();
    const { holder } = key();
    expect(await found(account, holder, ACCOUNT, "nobody")).toEqual(
      [
        [holder, 3],
        [ACCOUNT, 3],
      ].sort(),
    );
    expect(await found(account, ACCOUNT)).toEqual([[ACCOUNT, 3]]);
    expect(await found(other, ACCOUNT, holder)).toEqual([[ACCOUNT, 0]]);
    expect(await found(account)).toEqual([]);
  });

  test("law: the operator spends without a budget", async () => {
    await limit({ total: 0 });
    await store.db.tx((tx) => createProject(tx, draftOf(3)));
    expect(await store.balance(account)).toBe(9_997);
    expect((await spending()).spent.total).toBe(0);
  });

  test("403 insufficient_scope: a key that may only read spends nothing", async () => {
    const { apiKeys } = store.db.t;
    await store.db.tx((tx) => tx.q.update(apiKeys).set({ scopes: "read" }).returning());
    await expect(spend(1)).rejects.toMatchObject({ code: "insufficient_scope" });
    expect(await store.balance(account)).toBe(10_000);
  });

  test("law: limits may be changed without the end of an app, and with it", async () => {
    const end = async () => (await budgetOf(store.db, key()))!.expiresAt;
    const set = (more: object) => store.db.tx((tx) => setLimits(tx, key(), { ...NO_LIMITS, ...more }));
    await set({ expiresAt: 7 });
    await set({ total: 5 });
    expect(await end()).toBe(7);
    await set({ expiresAt: 8 });
    expect(await end()).toBe(8);
    await set({ expiresAt: null });
    expect(await end()).toBeNull();
  });

  test("law: the person is limited by the balance alone", async () => {
    const principal = await ownerPrincipal(store.db, account);
    await limit({ total: 0 });
    expect(await spend(20, { principal })).toBeNull();
    expect((await spending()).spent.total).toBe(0);
  });
});

describe("approvals", () => {
  const ask = (credits: number, input = "a") =>
    store.db.tx((tx) =>
      requestApproval(tx, {
        accountId: account,
        credential: caller.credential.id,
        credentialName: "test",
        holder: caller.credential.holder,
        operation: "submit_urls",
        inputHash: input,
        digest: digestOf(draftOf(credits)),
        credits,
        about: "{}",
        now: now(),
      }),
    );
  const decide = (id: string, isApproved = true, accountId = account) =>
    store.db.tx((tx) => decideApproval(tx, accountId, { id, isApproved, now: now() }));
  const events = async () =>
    (await store.db.q.select().from(store.db.t.events))
      .filter(({ type }) => type === "spending.approval_requested")
      .map(({ data }) => JSON.parse(data) as { is_mailed: boolean });

  beforeEach(() => limit({ approveAbove: 5 }));

  test("law: what costs more than approve_above waits for a yes, and then goes through exactly once", async () => {
    expect(await spend(5)).toBeNull();
    expect(await spend(6)).toBe("approval");
    const { id } = (await ask(6))!;
    expect(await spend(6)).toBe("approval");
    expect(await decide(id)).toBe("decided");
    const answers = await Promise.all([spend(6), spend(6), spend(6)]);
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(await spend(6)).toBe("approval");
  });

  test.each([
    ["another input", () => spend(6, { input: "b" })],
    ["a higher cost", () => spend(7)],
    ["a credential of the same account", () => otherKey()],
  ])("law: a yes is not for %s", async (_what, call) => {
    await decide((await ask(6))!.id);
    expect(await call()).toBe("approval");
    expect(await spend(6)).toBeNull();
  });

  async function otherKey() {
    const id = `${caller.credential.id}x`;
    const credential = { ...caller.credential, id, holder: id };
    await store.db.tx((tx) => setLimits(tx, { accountId: account, holder: id }, { ...NO_LIMITS, approveAbove: 5 }));
    const { apiKeys } = store.db.t;
    const [row] = await store.db.q.select().from(apiKeys);
    await store.db.tx((tx) =>
      tx.q
        .insert(apiKeys)
        .values({ ...row!, id, hash: "x" })
        .returning(),
    );
    return spend(6, { principal: { ...caller, credential } });
  }

  test("law: a yes ends after 24 hours, and so does the question", async () => {
    const { id } = (await ask(6))!;
    store.clock.pass(DAY - 1);
    expect(await decide(id)).toBe("decided");
    store.clock.pass(DAY);
    expect(await spend(6)).toBe("approval");
    const late = (await ask(6))!;
    store.clock.pass(DAY);
    expect(await decide(late.id)).toBe("over");
    expect(await spend(6)).toBe("approval");
  });

  test("law: of two decisions at once one counts, and a no is not a yes", async () => {
    const { id } = (await ask(6))!;
    const outcomes = await Promise.all([decide(id, false), decide(id, false), decide(id, false)]);
    expect(outcomes.sort()).toEqual(["decided", "over", "over"]);
    expect(await decide(id, true)).toBe("over");
    expect(await spend(6)).toBe("approval");
  });

  test("404: another account has no such approval", async () => {
    const { id } = (await ask(6))!;
    expect(await decide(id, true, await store.account(0))).toBe("unknown");
    expect(await spend(6)).toBe("approval");
  });

  test("law: an approved call is still held to its limits and the balance", async () => {
    await decide((await ask(6))!.id);
    await limit({ approveAbove: 5, total: 5 });
    expect(await spend(6)).toBe("total");
    await limit({ approveAbove: 5 });
    expect(await spend(6)).toBeNull();
  });

  // On PostgreSQL fewer: its transactions cost more, and those at once are done again.
  const times = isOnPostgres ? 60 : 1_000;
  test("law: of one call that asks for one list after another, the last question is open; in an hour it asks ten times", async () => {
    const open = async () =>
      (await store.db.q.select().from(store.db.t.approvals)).filter(({ status }) => status === "open");
    for (let list = 6; list < 6 + MAX_OPEN; list++) {
      const asked = await ask(list);
      expect((await open()).map(({ id }) => id)).toEqual([asked!.id]);
    }
    expect(await ask(30)).toBeNull();
    store.clock.pass(HOUR);
    const last = (await ask(30))!;
    expect((await open()).map(({ id }) => id)).toEqual([last.id]);
  });

  test("law: an agent that asks a thousand times has ten questions, and its person one mail an hour", async () => {
    const first = (await ask(6))!;
    for (let call = 0; call < times - 30; call++) expect((await ask(6))!.id).toBe(first.id);
    const ids = await Promise.all(Array.from({ length: 30 }, (_, call) => ask(6, `input ${call}`)));
    expect(ids.filter((row) => row !== null)).toHaveLength(MAX_OPEN - 1);
    expect((await events()).filter(({ is_mailed }) => is_mailed)).toHaveLength(1);
    await decide(first.id, false);
    store.clock.pass(HOUR);
    await ask(6);
    expect((await events()).filter(({ is_mailed }) => is_mailed)).toHaveLength(2);
  });
});

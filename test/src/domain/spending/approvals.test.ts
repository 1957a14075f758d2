import { beforeEach, describe, expect, test } from "vitest";
import {
  approvalOf,
  approvalsOf,
  consumeApproval,
  decideApproval,
  endApprovalsBy,
  endApprovalsOf,
  MAX_OPEN,
  purgeApprovals,
  requestApproval,
  statusOf,
  withdrawApproval,
} from "../../../../src/domain/spending/approvals.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(0);
});

const now = () => store.clock.now();
const call = (more: object = {}) => ({
  ...{ accountId, credential: "key_1", operation: "submit_urls", inputHash: "input", digest: "does" },
  ...more,
});
const ask = (more: object = {}) =>
  store.db.tx((tx) =>
    requestApproval(tx, {
      ...call(),
      credentialName: "ci",
      holder: "key_1",
      credits: 6,
      about: "{}",
      now: now(),
      ...more,
    }),
  );
const asked = async (more?: object) => (await ask(more))!.id;
const decide = (id: string, isApproved = true) =>
  store.db.tx((tx) =>
    decideApproval(tx, accountId, { id, isApproved, now: now() } as Parameters<typeof decideApproval>[2]),
  );
const withdraw = (id: string) => store.db.tx((tx) => withdrawApproval(tx, accountId, { id, now: now() }));
const row = async (id: string) => (await approvalOf(store.db, accountId, id))!;
const told = async (type: string) =>
  (await store.db.q.select().from(store.db.t.events))
    .filter((event) => event.type === type)
    .map(({ data }) => JSON.parse(data));

describe("a repeated call", () => {
  test.each([
    ["that costs the same", { credits: 6 }],
    ["that costs less by now", { credits: 5 }],
  ])("%s has the same approval", async (_, more) => {
    const id = await asked();
    expect(await asked(more)).toBe(id);
  });

  test.each([
    ["that costs more by now", { credits: 7 }],
    ["that does something else by now", { digest: "other" }],
    ["that does something else and costs less", { digest: "other", credits: 5 }],
  ])("%s has a new one, which replaces it", async (_, more) => {
    const id = await asked();
    expect(await asked(more)).not.toBe(id);
    expect((await row(id)).status).toBe("replaced");
  });
});

describe("a credential waits for ten approvals at most", () => {
  test("law: what it withdraws counts for an hour", async () => {
    for (let at = 0; at < MAX_OPEN; at += 1) await withdraw(await asked({ inputHash: `${at}` }));
    expect(await ask()).toBeNull();
    store.clock.pass(HOUR - 1);
    expect(await ask()).toBeNull();
    store.clock.pass(1);
    expect(await ask()).not.toBeNull();
  });

  test("law: one that would be replaced makes room once it is an hour old", async () => {
    for (let at = 0; at < MAX_OPEN; at += 1) await ask({ inputHash: `${at}` });
    store.clock.pass(HOUR - 1);
    expect(await ask({ inputHash: "0", digest: "other" })).toBeNull();
    store.clock.pass(1);
    expect(await ask({ inputHash: "new" })).toBeNull();
    expect(await ask({ inputHash: "0", digest: "other" })).not.toBeNull();
  });

  test("law: another credential has its own", async () => {
    for (let at = 0; at < MAX_OPEN; at += 1) await ask({ inputHash: `${at}` });
    expect(await ask({ credential: "key_2" })).not.toBeNull();
  });
});

test("its person is told of a question and of the decision, and not mailed where nothing limits the holder", async () => {
  const yes = await asked();
  const no = await asked({ inputHash: "other" });
  expect(yes).toMatch(/^apr_[0-9a-z]+$/);
  expect(await decide(yes)).toBe("decided");
  expect(await decide(no, false)).toBe("decided");
  const question = { credential_id: "key_1", operation: "submit_urls", credits: 6 };
  expect(await told("spending.approval_requested")).toEqual(
    [yes, no].map((id) => ({ approval_id: id, ...question, credential_name: "ci", is_mailed: expect.any(Boolean) })),
  );
  expect(await told("spending.approval_decided")).toEqual([
    { approval_id: yes, ...question, approved: true },
    { approval_id: no, ...question, approved: false },
  ]);
  expect([await row(yes), await row(no)]).toMatchObject([
    { status: "approved", decidedAt: now(), expiresAt: now() + DAY },
    { status: "refused", decidedAt: now() },
  ]);
});

test("a yes that is used says by what and when, and is used once", async () => {
  const id = await asked();
  await decide(id);
  store.clock.pass(5);
  const use = (more: object = {}, credits = 6) =>
    store.db.tx((tx) => consumeApproval(tx, call(more), { credits, projectId: "prj_1", now: now() }));
  expect(await use({ digest: "other" })).toBe(false);
  expect(await use({}, 7)).toBe(false);
  expect(await use()).toBe(true);
  expect(await row(id)).toMatchObject({ status: "used", usedAt: now(), projectId: "prj_1" });
  expect(await use()).toBe(false);
});

describe("a task that waits for an approval", () => {
  const wait = (approvalId: string, more: object = {}) =>
    store.db.tx((tx) => {
      const task = {
        id: approvalId,
        accountId,
        contextId: "c",
        state: "auth_required",
        stateAt: 0,
        history: "[]",
        createdAt: 0,
      } as const;
      return tx.q.insert(tx.t.tasks).values({ ...task, approvalId, ...more });
    });
  const due = async () => (await store.db.q.select().from(store.db.t.tasks)).map(({ resumeAt }) => resumeAt);

  const endings: Record<string, (id: string) => Promise<unknown>> = {
    "it is approved": (id) => decide(id),
    "it is refused": (id) => decide(id, false),
    "it is replaced": () => ask({ digest: "other" }),
    "its credential ends": () =>
      store.db.tx((tx) => endApprovalsOf(tx, { accountId, credential: "key_1", now: now() })),
  };
  test.each(Object.entries(endings))("is due when %s", async (_, end) => {
    const id = await asked();
    await wait(id);
    await wait(await asked({ credential: "key_2" }));
    store.clock.pass(3);
    await end(id);
    expect((await due()).toSorted()).toEqual([now(), null].toSorted());
  });

  test("is not due when whoever asked withdraws: it continues by itself", async () => {
    const id = await asked();
    await wait(id);
    await withdraw(id);
    expect([(await row(id)).status, await due()]).toEqual(["withdrawn", [null]]);
  });

  test("is not due when it is over already", async () => {
    const id = await asked();
    await wait(id, { expiresAt: 9 });
    await decide(id);
    expect(await due()).toEqual([null]);
  });
});

test("with its credential ends what it has asked for and what it was allowed, and nothing that is over or another's", async () => {
  const open = await asked({ inputHash: "open" });
  const approved = await asked({ inputHash: "approved" });
  await decide(approved);
  const refused = await asked({ inputHash: "refused" });
  await decide(refused, false);
  const other = await asked({ credential: "key_2" });
  await store.db.tx((tx) => endApprovalsOf(tx, { accountId, credential: "key_1", now: now() }));
  const statuses = await Promise.all([open, approved, refused, other].map(async (id) => (await row(id)).status));
  expect(statuses).toEqual(["ended", "ended", "refused", "open"]);
});

test("with the right of a person to approve ends what the person has approved, and nobody used", async () => {
  const decideBy = (id: string, personId: string, isApproved = true) =>
    store.db.tx((tx) => decideApproval(tx, accountId, { id, personId, isApproved, now: now() }));
  const open = await asked();
  const approved = await asked({ inputHash: "approved" });
  const refused = await asked({ inputHash: "refused" });
  const other = await asked({ inputHash: "approved by another" });
  await decideBy(approved, "per_1");
  await decideBy(refused, "per_1", false);
  await decideBy(other, "per_2");
  await store.db.tx((tx) => endApprovalsBy(tx, { accountId, personId: "per_1", now: now() }));
  const rows = await Promise.all([open, approved, refused, other].map(row));
  expect(rows.map(({ status, decidedBy }) => [status, decidedBy])).toEqual([
    ["open", null],
    ["ended", "per_1"],
    ["refused", "per_1"],
    ["approved", "per_2"],
  ]);
});

test("an approval is found in its own account only, and all of an account are listed, newest first", async () => {
  const first = await asked();
  store.clock.pass(1);
  const second = await asked({ inputHash: "other" });
  const list = async (limit: number) => (await approvalsOf(store.db, accountId, limit)).map(({ id }) => id);
  expect([await list(1), await list(5)]).toEqual([[second], [second, first]]);
  expect(await approvalOf(store.db, await store.account(0), first)).toBeNull();
  expect(await approvalOf(store.db, accountId, "apr_none")).toBeNull();
});

test.each([
  ["open", 10, "open"],
  ["open", 9, "expired"],
  ["approved", 10, "approved"],
  ["approved", 9, "expired"],
  ["refused", 9, "refused"],
  ["used", 9, "used"],
  ["withdrawn", 9, "withdrawn"],
] as const)("%s until %d is at 9: %s", (status, expiresAt, seen) => {
  expect(statusOf({ status, expiresAt }, 9)).toBe(seen);
});

test("approvals are deleted 90 days after their end, however many there are", async () => {
  const old = await asked();
  const end = now() + DAY;
  store.clock.pass(1);
  const last = await asked({ inputHash: "other" });
  const copy = await row(old);
  await store.db.tx(async (tx) => {
    for (let at = 0; at < 500; at += 1) await tx.q.insert(tx.t.approvals).values({ ...copy, id: `apr_${at}` });
  });
  const left = async () => (await approvalsOf(store.db, accountId, 1_000)).length;
  await purgeApprovals(store.db, end + 90 * DAY - 1);
  expect(await left()).toBe(502);
  await purgeApprovals(store.db, end + 90 * DAY);
  expect(await left()).toBe(1);
  expect(await row(last)).toMatchObject({ status: "open" });
});

import { afterAll, beforeEach, expect, test } from "vitest";
import { post } from "../../src/domain/ledger/ledger.ts";
import { DAY, MINUTE } from "../../src/platform/clock.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";

const service = await testService();
const { request, clock, db } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(MINUTE));

const body = { urls: ["https://example.com/1", "https://example.com/2"] };
const other = { urls: ["https://example.com/3"] };

test("402 payment_required: before the first paid order; spends nothing and says how to buy", async () => {
  const { id, key } = await service.account({ paid: false, credits: 10 });
  const before = await stateOf(db, id);
  for (const path of ["/projects", "/checks"]) {
    const { status, json } = await request("POST", path, { key, body });
    expect([status, json.error.code]).toEqual([402, "payment_required"]);
    expect(json.error.buy_url).toBe("http://beckon.test/pricing");
  }
  expect(await stateOf(db, id)).toEqual(before);
});

test("402 insufficient_credits: one credit short; spends nothing", async () => {
  const { id, key } = await service.account({ credits: 5 });
  const before = await stateOf(db, id);
  const { status, json } = await request("POST", "/projects", { key, body: { ...body, mode: "instant" } });
  expect(status).toBe(402);
  expect(json.error).toMatchObject({ code: "insufficient_credits", needed: 6, balance: 5 });
  expect(await stateOf(db, id)).toEqual(before);
});

test("201: the same key works after a top-up", async () => {
  const { id, key } = await service.account({ credits: 1 });
  const headers = { "Idempotency-Key": "top-up" };
  expect((await request("POST", "/projects", { key, body, headers })).status).toBe(402);
  const now = clock.now();
  const gift = { kind: "adjustment", credits: 1, source: "gift", description: "Gift", now } as const;
  await db.tx((tx) => post(tx, { accountId: id, ...gift }));
  const { status, json, headers: answered } = await request("POST", "/projects", { key, body, headers });
  expect([status, json.balance]).toEqual([201, 0]);
  expect(answered.get("idempotent-replayed")).toBeNull();
});

test("201: the same key with the same body returns the first answer byte for byte, and spends nothing", async () => {
  const { id, key } = await service.account();
  const headers = { "Idempotency-Key": "again" };
  const first = await request("POST", "/projects", { key, body, headers });
  const before = await stateOf(db, id);
  clock.pass(DAY - 1);
  const again = await request("POST", "/projects", { key, body: { drip_days: 0, ...body }, headers });
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(await stateOf(db, id)).toEqual(before);
});

test("422 idempotency_mismatch: the same key with another body; spends nothing", async () => {
  const { id, key } = await service.account();
  const headers = { "Idempotency-Key": "mismatch" };
  await request("POST", "/projects", { key, body, headers });
  const before = await stateOf(db, id);
  const { status, json } = await request("POST", "/projects", { key, body: other, headers });
  expect([status, json.error.code]).toEqual([422, "idempotency_mismatch"]);
  expect(await stateOf(db, id)).toEqual(before);
});

test("409 idempotency_in_flight: of simultaneous calls one spends, and the others get 409 or its answer", async () => {
  const { id, key } = await service.account();
  const headers = { "Idempotency-Key": "at once" };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => request("POST", "/projects", { key, body, headers })),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  expect(made.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect([answer.status, answer.json.error.code]).toEqual([409, "idempotency_in_flight"]);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect(await stateOf(db, id)).toMatchObject({ balance: 148, projects: [{ total: 2 }] });
});

test("201: a key can be used again after 24 hours", async () => {
  const { id, key } = await service.account();
  const headers = { "Idempotency-Key": "a day" };
  await request("POST", "/projects", { key, body, headers });
  clock.pass(DAY);
  const answer = await request("POST", "/projects", { key, body: other, headers });
  expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([201, null]);
  expect((await stateOf(db, id)).projects).toHaveLength(2);
});

test("201: a key belongs to one account and one operation", async () => {
  const [one, two] = [await service.account(), await service.account()];
  const headers = { "Idempotency-Key": "mine" };
  const answers = [
    await request("POST", "/projects", { key: one.key, body, headers }),
    await request("POST", "/projects", { key: two.key, body: other, headers }),
    await request("POST", "/checks", { key: one.key, body: other, headers }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get("idempotent-replayed")])).toEqual(
    Array(3).fill([201, null]),
  );
});

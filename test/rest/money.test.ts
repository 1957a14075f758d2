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

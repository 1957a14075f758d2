import { afterAll, expect, test } from "vitest";
import { dayOf } from "../../src/domain/limits/day.ts";
import { DAY, MINUTE } from "../../src/platform/clock.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";

const service = await testService();
const { request, clock, db } = service;
afterAll(() => service.close());

const body = { urls: ["https://example.com/"] };

test("429 rate_limited: the 121st request in a minute is refused, with every header, until the next minute", async () => {
  const { id, key } = await service.account();
  clock.pass(MINUTE);
  const before = await stateOf(db, id);
  for (let i = 1; i <= 120; i++) {
    const { status, headers } = await request("GET", "/account", { key });
    expect([status, headers.get("ratelimit-remaining")]).toEqual([200, String(120 - i)]);
  }
  clock.pass(18_000);
  const over = await request("POST", "/projects", { key, body });
  expect([over.status, over.json.error.code]).toEqual([429, "rate_limited"]);
  expect(Object.fromEntries(over.headers)).toMatchObject({
    "ratelimit-limit": "120",
    "ratelimit-remaining": "0",
    "ratelimit-reset": "42",
    "ratelimit-policy": "120;w=60",
    "retry-after": "42",
  });
  expect(await stateOf(db, id)).toEqual(before);
  clock.pass(42_000);
  expect((await request("GET", "/account", { key })).status).toBe(200);
});

test("429 rate_limited: refused requests count too", async () => {
  const { key } = await service.account();
  clock.pass(MINUTE);
  for (let i = 0; i < 60; i++) {
    await request("GET", "/nothing", { key });
    await request("POST", "/projects", { key, body: "{" });
  }
  expect((await request("GET", "/nothing", { key })).status).toBe(429);
});

test("429 rate_limited: the 61st request without a valid credential; one with a valid credential still passes", async () => {
  const { key } = await service.account();
  clock.pass(MINUTE);
  for (let i = 0; i < 30; i++) {
    expect((await request("GET", "/pricing")).status).toBe(200);
    expect((await request("GET", "/pricing", { key: "wrong" })).status).toBe(401);
  }
  for (const send of [{}, { key: "wrong" }]) {
    const over = await request("GET", "/pricing", send);
    expect(over.status).toBe(429);
    expect(over.headers.get("ratelimit-limit")).toBe("60");
    expect(over.headers.get("retry-after")).toBe("60");
  }
  expect((await request("GET", "/pricing", { key })).status).toBe(200);
});

test("429 rate_limited: the 20,001st request of a day over all keys, until midnight UTC", async () => {
  const { id, key } = await service.account();
  await book(id, { requests: 19_999 });
  expect((await request("GET", "/account", { key })).json.usage_today.requests).toBe(20_000);
  const over = await request("GET", "/account", { key });
  expect([over.status, over.json.error.code]).toEqual([429, "rate_limited"]);
  expect(over.headers.get("ratelimit-limit")).toBe("120");
  clock.pass(DAY - (clock.now() % DAY));
  expect((await request("GET", "/account", { key })).status).toBe(200);
});

async function book(accountId: string, counts: { requests?: number; submissions?: number }): Promise<void> {
  const day = dayOf(clock.now());
  await db.tx(async (tx) => {
    await tx.q.insert(tx.t.usage).values({ accountId, day, requests: 0, submissions: 0, ...counts });
  });
}

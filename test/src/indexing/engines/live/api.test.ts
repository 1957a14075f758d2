import { afterAll, expect, test } from "vitest";
import { type Api, quotaOf } from "../../../../../src/indexing/engines/live/api.ts";
import { readConfig } from "../../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../../src/platform/http-client/http-client.ts";
import { anyQuota } from "../../../../support/indexing/any-quota.ts";
import { TestClock } from "../../../../support/service/clock.ts";

const http = createHttpClient(readConfig({}));
afterAll(() => http.close());

const poolWith = (env: NodeJS.ProcessEnv, more = {}) => {
  const api: Api = { http, clock: new TestClock(), settings: readConfig(env).providers };
  return quotaOf(api, "serper", more);
};

test.each([
  ["serper=0.0003", 300],
  ["serper=0", 0],
  ["serpapi=0.5", 1_000],
  ["", 1_000],
])("a list price of 1,000 and PROVIDER_PRICES=%s: %d millionths", (PROVIDER_PRICES, price) => {
  expect(poolWith({ PROVIDER_PRICES }, { price: 1_000 }).price).toBe(price);
});

test("without a list price and a price of the operator a call costs nothing", () => {
  expect(poolWith({})).toEqual(anyQuota("serper"));
});

test.each([
  [null, "", null],
  [null, "serper=7", 7],
  [null, "serper=0", 0],
  [200, "serper=7", 7],
  [200, "serper=900", 200],
  [200, "", 200],
])("a quota of %s and PROVIDER_BUDGETS=%s: %s a day", (daily, PROVIDER_BUDGETS, expected) => {
  expect(poolWith({ PROVIDER_BUDGETS }, { daily }).daily).toBe(expected);
});

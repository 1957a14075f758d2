import { describe, expect, test } from "vitest";
import type { Engine } from "../../../../db/engine.ts";
import { openDatabase } from "../../../../db/open.ts";
import { RequestGuard } from "../../../../src/contract/authenticate.ts";
import {
  countSubmission,
  DailyRequests,
  dailyLimitRefusal,
  dayOf,
  usageOf,
} from "../../../../src/domain/limits/day.ts";
import { MinuteWindows, rateHeaders, refuseOverLimit } from "../../../../src/domain/limits/minute.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { SIZES } from "../../../../src/platform/sizes.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("the limits equal the specification's, and their sentences state them", () => {
  const specified = [
    ["requests_per_minute", 120, "minute"],
    ["anonymous_requests_per_minute", 60, "minute"],
    ["requests_per_day", 20_000, "day"],
    ["submissions_per_day", 500, "day"],
    ["sitemap_reads", 20, "10 minutes"],
    ["site_checks", 20, "10 minutes"],
    ["client_registrations", 20, "hour"],
    ["agent_registrations", 10, "hour"],
  ] as const;
  for (const [name, count, window] of specified) {
    expect(LIMITS[name]).toMatchObject({ count, window });
    expect(LIMITS[name].sentence).toContain(count.toLocaleString("en-US"));
  }
  expect(SIZES).toMatchObject({
    urlsPerSubmission: 10_000,
    itemsPerRequest: 20_000,
    urlLength: 4_096,
    projectName: 120,
  });
});

describe("the minute", () => {
  const NOON = Date.UTC(2026, 0, 5, 12);

  test("is a fixed window: it ends with the clock's minute, for every caller", () => {
    const windows = new MinuteWindows();
    const take = (key: string, at: number) => windows.take("requests_per_minute", key, NOON + at);
    expect(take("a", 59 * SECOND)).toEqual({ limit: 120, used: 1, resetSeconds: 1 });
    expect(take("a", 59_999)).toMatchObject({ used: 2, resetSeconds: 1 });
    expect(take("b", 59_999)).toMatchObject({ used: 1 });
    expect(take("a", MINUTE)).toEqual({ limit: 120, used: 1, resetSeconds: 60 });
  });

  test("RateLimit-Remaining is never negative", () => {
    const over = { limit: 120, used: 130, resetSeconds: 7 };
    expect(rateHeaders(over)).toEqual({
      "RateLimit-Limit": "120",
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": "7",
      "RateLimit-Policy": "120;w=60",
    });
    expect(() => refuseOverLimit("requests_per_minute", { ...over, used: 120 })).not.toThrow();
  });

  test("429: a request over the limit is told when to come again", () => {
    const over = { limit: 120, used: 121, resetSeconds: 7 };
    const refused = () => refuseOverLimit("requests_per_minute", over);
    expect(refused).toThrow(/ Try again in 7 s\.$/);
    expect(refused).toThrow(
      expect.objectContaining({ code: "rate_limited", headers: { ...rateHeaders(over), "Retry-After": "7" } }),
    );
  });
});

describe("the day", () => {
  test("429: Retry-After ends at midnight UTC", () => {
    const late = Date.UTC(2026, 0, 5, 23, 59, 59, 1);
    const refusal = dailyLimitRefusal("requests_per_day", late);
    expect([refusal.code, refusal.headers]).toEqual(["rate_limited", { "Retry-After": "1" }]);
    expect(dailyLimitRefusal("submissions_per_day", Date.UTC(2026, 0, 5)).headers).toEqual({ "Retry-After": "86400" });
  });

  test("429: the 501st submission is refused inside its transaction, also when all are simultaneous", async () => {
    const now = store.clock.now();
    const results = await Promise.allSettled(
      Array.from({ length: 510 }, () => store.db.tx((tx) => countSubmission(tx, "acc_1", now))),
    );
    const refused = results.filter((result) => result.status === "rejected");
    const refusal = { code: "rate_limited", message: expect.stringContaining(LIMITS.submissions_per_day.sentence) };
    expect(refused.map(({ reason }) => reason)).toMatchObject(Array(10).fill(refusal));
    expect(await usageOf(store.db, "acc_1", now)).toEqual({ requests: 0, submissions: 500 });
    expect(await usageOf(store.db, "acc_1", now + DAY)).toEqual({ requests: 0, submissions: 0 });
  });

  test("requests of two processes add up once they are written", async () => {
    const other = await openDatabase(store.url, { durable: false });
    try {
      const [one, two] = [new DailyRequests(store.db), new DailyRequests(other)];
      const now = store.clock.now();
      for (let i = 1; i <= 5; i++) expect(await one.take("acc_1", now)).toBe(i);
      for (let i = 1; i <= 3; i++) expect(await two.take("acc_1", now)).toBe(i);
      await one.flush(now);
      await two.flush(now);
      expect(await usageOf(store.db, "acc_1", now)).toEqual({ requests: 8, submissions: 0 });
      expect(await two.take("acc_1", now)).toBe(9);
      await two.flush(now);
      await one.flush(now);
      expect((await usageOf(store.db, "acc_1", now)).requests).toBe(9);
    } finally {
      await other.close();
    }
  });

  test("new requests during a flush are not lost", async () => {
    const counts = new DailyRequests(store.db);
    const now = store.clock.now();
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        counts.take("acc_1", now),
        counts.flush(now),
        counts.take("acc_1", now),
        counts.take("acc_2", now),
      ]);
    }
    await counts.flush(now);
    expect((await usageOf(store.db, "acc_1", now)).requests).toBe(40);
    expect((await usageOf(store.db, "acc_2", now)).requests).toBe(20);
  });

  test("what is stored is read once for each account, and again once its day is over", async () => {
    let reads = 0;
    const prepared: Engine["prepared"] = (...query) => {
      reads += 1;
      return store.db.prepared(...query);
    };
    const counts = new DailyRequests({ ...store.db, prepared });
    const noon = store.clock.now();
    const readsAfter = async (at: number) => {
      await counts.take("acc_1", noon);
      await counts.flush(at);
      return reads;
    };
    expect([await readsAfter(noon), await readsAfter(noon), await readsAfter(noon + DAY)]).toEqual([1, 1, 1]);
    expect([await readsAfter(noon + DAY), await readsAfter(noon + DAY)]).toEqual([2, 2]);
  });

  test("an error that has nothing to do with an unavailable database stays one", async () => {
    const prepared = () => {
      throw new Error("a fault");
    };
    const counts = new DailyRequests({ ...store.db, prepared });
    await expect(counts.take("acc_1", store.clock.now())).rejects.toThrow("a fault");
  });

  test("the count starts again at midnight", async () => {
    const counts = new DailyRequests(store.db);
    const noon = store.clock.now();
    await counts.take("acc_1", noon);
    await counts.flush(noon);
    expect(await counts.take("acc_1", noon + DAY)).toBe(1);
    await counts.flush(noon + DAY);
    expect((await usageOf(store.db, "acc_1", noon)).requests).toBe(1);
    expect(dayOf(noon + DAY)).toBe(dayOf(noon) + 1);
  });
});

describe("a caller without a credential", () => {
  const used = async (guard: RequestGuard, ip: string) => {
    const { headers } = await guard.admit({ ip, resource: "/mcp" });
    return 60 - Number(headers["RateLimit-Remaining"]);
  };

  test("is limited by IP address: of IPv6 the /64 in any spelling, of mapped IPv4 the IPv4 address", async () => {
    const guard = new RequestGuard(store.db, store.clock, readConfig({}));
    const alike = [
      ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:192.0.2.1"],
      ["2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:0DB8:0000:0001::", "2001:db8:0:1::1%eth0"],
      ["2001:db8::1", "2001:db8:0:0:5::", "2001:db8:0:0::9"],
      ["::1", "0:0:0:0:1::", "::"],
      ["192.0.2.2"],
      ["2001:db8:0:2::1"],
    ];
    for (const addresses of alike) {
      const counts: number[] = [];
      for (const ip of addresses) counts.push(await used(guard, ip));
      expect(counts, addresses.join()).toEqual(addresses.map((_, i) => i + 1));
    }
  });

  test("429: a failed credential counts for the IP address, and after 60 credentials are not checked any more", async () => {
    const guard = new RequestGuard(store.db, store.clock, readConfig({}));
    const admit = async (ip: string) => guard.admit({ ip, resource: "/mcp", authorization: "Bearer nonsense" });
    for (let i = 0; i < 60; i++) await expect(admit("192.0.2.7")).rejects.toMatchObject({ code: "unauthorized" });
    await expect(admit("192.0.2.7")).rejects.toMatchObject({ code: "rate_limited" });
    await expect(admit("192.0.2.8")).rejects.toMatchObject({ code: "unauthorized" });
  });
});

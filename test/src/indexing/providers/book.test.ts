import { beforeEach, describe, expect, test } from "vitest";
import { ProviderBook } from "../../../../src/indexing/providers/book.ts";
import { type Concern, type FailureKind, UpstreamFailure } from "../../../../src/indexing/providers/failure.ts";
import type { Quota } from "../../../../src/indexing/providers/quota.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { anyQuota } from "../../../support/indexing/any-quota.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let book: ProviderBook;
beforeEach(async () => {
  book = new ProviderBook(store.db, store.clock);
});

const pool = (more: Partial<Quota> = {}): Quota => anyQuota("p", more);
const take = (of: Quota, wanted: number, least?: number) => store.db.tx((tx) => book.take(tx, of, wanted, least));
const note = (failure?: UpstreamFailure, of = pool()) => store.db.tx((tx) => book.note(tx, of, {}, failure));
const failed = (kind: FailureKind, until?: number) => new UpstreamFailure("p", kind, { until });
const rows = () => store.db.q.select().from(store.db.t.providerDays);

describe("the budget of a day", () => {
  test("is given out once, and then not before midnight in the provider's time zone", async () => {
    const pacific = pool({ daily: 200, zone: "America/Los_Angeles" });
    expect(await take(pacific, 150)).toEqual({ granted: 150 });
    expect(await take(pacific, 150)).toEqual({ granted: 50 });
    // The clock stands at noon UTC, four in the morning there.
    const midnight = Date.parse("2026-01-06T08:00:00.000Z");
    expect(await take(pacific, 1)).toEqual({ until: midnight, reason: null });
    store.clock.pass(midnight - 1 - store.clock.service());
    expect(await take(pacific, 1)).toEqual({ until: midnight, reason: null });
    store.clock.pass(1);
    expect(await take(pacific, 150)).toEqual({ granted: 150 });
  });

  test("is exact over several processes, and survives a restart", async () => {
    const other = new ProviderBook(store.db, store.clock);
    const attempts = Array.from({ length: 20 }, (_, i) =>
      store.db.tx((tx) => (i % 2 ? other : book).take(tx, pool({ daily: 65 }), 10)),
    );
    const granted = (await Promise.all(attempts)).map((taken) => ("granted" in taken ? taken.granted : 0));
    expect(granted.reduce((sum, one) => sum + one)).toBe(65);
  });

  test("is not used if less than a whole lookup is left", async () => {
    expect(await take(pool({ daily: 8 }), 6, 6)).toEqual({ granted: 6 });
    expect(await take(pool({ daily: 8 }), 6, 6)).toMatchObject({ until: expect.any(Number) });
    expect(await rows()).toMatchObject([{ units: 6, calls: 1 }]);
  });

  test("gets back what a call did not use, and costs only what was used", async () => {
    const priced = pool({ daily: 10, price: 2_000 });
    await take(priced, 10);
    await store.db.tx((tx) => book.note(tx, priced, { accepted: 7, unused: 3 }));
    expect(await rows()).toMatchObject([{ day: 20260105, units: 7, accepted: 7, cost: 14_000 }]);
    expect(await take(priced, 10)).toEqual({ granted: 3 });
  });
});

describe("a provider that fails", () => {
  const heldFor = async () => {
    const taken = await take(pool(), 1);
    return "until" in taken ? taken.until - store.clock.service() : 0;
  };

  test.each<[FailureKind, number]>([
    ["timeout", 0],
    ["server_error", 0],
    ["rate_limited", MINUTE],
    ["unauthorized", HOUR],
    ["quota", 12 * HOUR],
  ])("is not called after one %s for %i ms", async (kind, ms) => {
    await note(failed(kind));
    expect(await heldFor()).toBe(ms);
  });

  test("is not called before the time that it names", async () => {
    await note(failed("rate_limited", store.clock.service() + 90_000));
    expect(await heldFor()).toBe(90_000);
  });

  test("opens the circuit breaker after five failures in a row, for longer each time, at most an hour", async () => {
    const held: number[] = [];
    for (let i = 0; i < 13; i++) {
      await note(failed("unreachable"));
      held.push((await heldFor()) / MINUTE);
      store.clock.pass(held.at(-1)! * MINUTE);
    }
    expect(held).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
    await note();
    await note(failed("unreachable"));
    expect(await heldFor()).toBe(0);
  });

  test("is not called before the longer of two times", async () => {
    await note(failed("quota"));
    await note(failed("rate_limited"));
    expect(await heldFor()).toBe(12 * HOUR);
  });

  const siteOf = (site: string) => pool({ site, isPerSite: true });
  const failedFor = (kind: FailureKind, concerns: Concern) => new UpstreamFailure("p", kind, { concerns });

  test("is still called for other sites if the failure concerns one, and for none if it concerns the credential", async () => {
    await note(failedFor("quota", "site"), siteOf("a.example"));
    expect(await take(siteOf("a.example"), 1)).toMatchObject({ reason: "quota" });
    expect(await take(siteOf("b.example"), 1)).toEqual({ granted: 1 });
    await note(failed("unauthorized"), siteOf("b.example"));
    expect(await take(siteOf("c.example"), 1)).toMatchObject({ reason: "unauthorized" });
    expect(await take(pool(), 1)).toMatchObject({ reason: "unauthorized" });
  });

  const siteBy = (site: string, credential: string) => pool({ site, isPerSite: true, credential });

  test("is still called by others if an account's own credential has failed, or a site is refused to it", async () => {
    await note(failed("unauthorized"), siteBy("a.example", "con_1"));
    expect(await take(siteBy("b.example", "con_1"), 1)).toMatchObject({ reason: "unauthorized" });
    expect(await take(siteBy("a.example", "con_2"), 1)).toEqual({ granted: 1 });
    await note(failed("host_not_connected"), siteBy("a.example", "con_2"));
    expect(await take(siteBy("a.example", "con_2"), 1)).toMatchObject({ reason: "host_not_connected" });
    expect(await take(siteBy("b.example", "con_2"), 1)).toEqual({ granted: 1 });
    expect(await take(siteOf("a.example"), 1)).toEqual({ granted: 1 });
  });

  test("the quota of a site is one, by whichever credential it is used, and so is the hold after it is used up", async () => {
    const daily = (credential: string) => ({ ...siteBy("a.example", credential), daily: 3 });
    expect(await take(daily("con_1"), 2)).toEqual({ granted: 2 });
    expect(await take(daily("con_2"), 2)).toEqual({ granted: 1 });
    await note(failedFor("quota", "site"), siteBy("b.example", "con_1"));
    expect(await take(siteBy("b.example", "con_2"), 1)).toMatchObject({ reason: "quota" });
  });

  test("a site that has failed is forgotten with its next success, but not before its hold is over", async () => {
    const rows = async () => (await store.db.q.select().from(store.db.t.providers)).map(({ name }) => name).sort();
    await note(failedFor("rate_limited", "site"), siteOf("a.example"));
    await note(undefined, siteOf("a.example"));
    expect(await rows()).toEqual(["p", "p a.example"]);
    store.clock.pass(MINUTE);
    await note(undefined, siteOf("a.example"));
    expect(await rows()).toEqual(["p"]);
  });

  test("works although it refuses URLs: they are no failures", async () => {
    for (let i = 0; i < 9; i++) await note(failed("invalid_url"));
    expect(await take(pool(), 1)).toEqual({ granted: 1 });
    const [row] = await store.db.q.select().from(store.db.t.providers);
    expect(row).toMatchObject({ failures: 0, reason: null, okAt: store.clock.now() });
  });

  test("has its reported state stored for the doctor, in our words", async () => {
    await note(failed("unauthorized"));
    const [row] = await store.db.q.select().from(store.db.t.providers);
    expect(row).toMatchObject({ name: "p", failures: 1, reason: "unauthorized", okAt: null });
    store.clock.pass(DAY);
    await note();
    const [after] = await store.db.q.select().from(store.db.t.providers);
    expect(after).toMatchObject({ failures: 0, reason: null, okAt: store.clock.now() });
  });
});

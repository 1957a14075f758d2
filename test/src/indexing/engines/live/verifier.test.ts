import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "../../../../../src/indexing/engines/engine.ts";
import { Canaries } from "../../../../../src/indexing/engines/live/lookup/canaries.ts";
import type { IndexLookup, LookupResult } from "../../../../../src/indexing/engines/live/lookup.ts";
import { liveVerifier } from "../../../../../src/indexing/engines/live/verifier.ts";
import { ProviderBook } from "../../../../../src/indexing/providers/book.ts";
import { type FailureKind, UpstreamFailure } from "../../../../../src/indexing/providers/failure.ts";
import { HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { testStore } from "../../../../support/database/store.ts";
import { anyQuota } from "../../../../support/indexing/any-quota.ts";
import { eachTest } from "../../../../support/service/each-test.ts";

const store = eachTest(testStore);

const KNOWN = "https://known.example/";
const IN = "https://example.com/in";
const OUT = "https://example.com/out";
const sighting = (result: LookupResult["result"], unitsUsed = 1): LookupResult => ({
  result,
  counts: { queries: 1 },
  unitsUsed,
});

/** A lookup that answers correctly, unless `answer` gives another result or failure; `calls` are the URLs it was called for. */
function lookup(
  name: string,
  answer?: (url: string, calls: number) => LookupResult | FailureKind,
  more: Partial<IndexLookup> & { daily?: number } = {},
) {
  const calls: string[] = [];
  const { daily = null, ...rest } = more;
  const made: IndexLookup = {
    name,
    method: "serp",
    concurrency: 1,
    needsCanaries: true,
    maxUnits: 1,
    covers: () => true,
    quota: () => anyQuota(name, { daily }),
    ...rest,
    async lookUp(url) {
      calls.push(url);
      const result = answer?.(url, calls.length) ?? sighting(url === IN || url === KNOWN ? "indexed" : "not_indexed");
      if (typeof result === "string") throw new UpstreamFailure(name, result);
      return result;
    },
  };
  return { made, calls };
}

async function verify(lookups: { made: IndexLookup }[], urls: readonly string[] = [IN, OUT]): Promise<string[]> {
  const book = new ProviderBook(store.db, store.clock);
  const verifier = liveVerifier(
    lookups.map(({ made }) => made),
    new Canaries([KNOWN], store.clock),
    book,
  );
  const links = urls.map((url) => ({ url, sentAt: 0 }));
  return (await verifier.check({ links, asOf: 0, isUrgent: false, sites: () => null })).map(shown);
}

function shown({ result, available, provider, reason, authoritative }: CheckOutcome): string {
  const words = [result, provider, reason, authoritative ? "authoritative" : undefined];
  return `${words.filter((word) => word !== undefined).join(" ")}${available ? "" : ", not available"}`;
}

const unknowns = (provider: string, reason: string) => Array(2).fill(`unknown ${provider} ${reason}, not available`);

describe("a reliable lookup", () => {
  test("its answers are the evidence of the verdict, and the next lookup is not used", async () => {
    const [first, second] = [lookup("first"), lookup("second")];
    expect(await verify([first, second])).toEqual(["indexed first", "not_indexed first"]);
    expect(second.calls).toEqual([]);
  });

  test("the next lookup is used for what is unknown; what stays unknown after all is unknown", async () => {
    const first = lookup("first", (url) => (url === KNOWN ? sighting("indexed") : sighting("unknown")), {
      needsCanaries: false,
    });
    const second = lookup("second", (url) => (url === OUT ? sighting("unknown") : undefined!));
    expect(await verify([first, second])).toEqual(["indexed second", "unknown second"]);
  });

  test("a lookup is not used for URLs that it does not cover", async () => {
    const first = lookup("first", undefined, { covers: (url) => url === IN, needsCanaries: false });
    expect(await verify([first, lookup("second")])).toEqual(["indexed first", "not_indexed second"]);
    expect(first.calls).toEqual([IN]);
  });

  test("without a configured lookup the result is unknown, and not available", async () => {
    expect(await verify([])).toEqual(unknowns("none", "no_verifier"));
  });
});

describe("a failed canary voids the whole batch, positives too", () => {
  test.each<[string, (url: string) => LookupResult]>([
    ["everything is found", () => sighting("indexed")],
    ["nothing is found", () => sighting("not_indexed")],
    ["nothing is clear", (url) => sighting(url === IN ? "indexed" : "unknown")],
  ])("%s", async (_, answer) => {
    expect(await verify([lookup("first", answer)])).toEqual(unknowns("first", "canary_failed"));
    const [row] = await store.db.q.select().from(store.db.t.providers);
    expect(row).toMatchObject({ name: "first", reason: "canary_failed", failures: 1 });
    expect(row!.heldUntil! - store.clock.service()).toBe(10 * MINUTE);
  });

  test("and the next lookup is used instead", async () => {
    const broken = lookup("broken", () => sighting("not_indexed"));
    expect(await verify([broken, lookup("second")])).toEqual(["indexed second", "not_indexed second"]);
    // While it is held, it is not called at all.
    const before = broken.calls.length;
    expect(await verify([broken, lookup("second")])).toEqual(["indexed second", "not_indexed second"]);
    expect(broken.calls.length).toBe(before);
  });
});

describe("a lookup that fails", () => {
  test.each<FailureKind>(["timeout", "server_error", "unreachable", "bad_answer", "refused"])(
    "%s: only that link is unknown",
    async (kind) => {
      const first = lookup("first", (url) => (url === OUT ? kind : undefined!));
      expect(await verify([first])).toEqual(["indexed first", `unknown first ${kind}, not available`]);
    },
  );

  test.each<FailureKind>(["unauthorized", "quota", "rate_limited"])(
    "%s: the rest of the batch is not looked up, and nothing of the batch counts",
    async (kind) => {
      const urls = [IN, ...Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`)];
      const first = lookup("first", (_, calls) => (calls > 2 ? kind : undefined!));
      const outcomes = await verify([first], urls);
      expect(outcomes.every((outcome) => outcome.startsWith("unknown") && outcome.endsWith("not available"))).toBe(
        true,
      );
      expect(first.calls).toHaveLength(3);
    },
  );

  test("five failures in a row open the circuit breaker: no lookup is made until it closes again", async () => {
    const first = lookup("first", () => "unreachable");
    const urls = Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`);
    await verify([first], urls);
    expect(first.calls).toHaveLength(5);
    store.clock.pass(MINUTE);
    await verify([first], urls);
    expect(first.calls).toHaveLength(6);
  });
});

describe("budgets", () => {
  test("a budget that runs out in the middle of a batch leaves the rest unknown, and voids what no canary could confirm", async () => {
    const first = lookup("first", undefined, { daily: 3 });
    const urls = Array.from({ length: 5 }, (_, i) => `https://example.com/${i}`);
    expect(await verify([first], urls)).toEqual([
      ...Array(3).fill("unknown first canary_failed, not available"),
      "unknown first held, not available",
      "unknown first held, not available",
    ]);
    const [row] = await store.db.q.select().from(store.db.t.providers);
    expect(row).toMatchObject({ failures: 0, reason: null });
    store.clock.pass(12 * HOUR);
    expect(await verify([first], [IN])).toEqual(["indexed first"]);
  });

  test("only the units that a lookup used are deducted", async () => {
    const first = lookup("first", (url) => sighting(url === OUT ? "not_indexed" : "indexed", 2), {
      maxUnits: 6,
      needsCanaries: false,
    });
    await verify([first]);
    const [day] = await store.db.q.select().from(store.db.t.providerDays);
    expect(day).toMatchObject({ calls: 2, units: 4, indexed: 1, notIndexed: 1, unknown: 0, failures: 0 });
  });
});

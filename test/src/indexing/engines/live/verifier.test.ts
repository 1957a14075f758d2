import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "../../../../../src/indexing/engines/engine.ts";
import { Canaries } from "../../../../../src/indexing/engines/live/lookup/canaries.ts";
import type { IndexLookup, LookupResult } from "../../../../../src/indexing/engines/live/lookup.ts";
import { liveVerifier } from "../../../../../src/indexing/engines/live/verifier.ts";
import { ProviderBook } from "../../../../../src/indexing/providers/book.ts";
import { type FailureKind, UpstreamFailure } from "../../../../../src/indexing/providers/failure.ts";
import { HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { testStore } from "../../../../support/database/store.ts";
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

/** A looker that knows what it should, unless it is told what to say or how to fail. */
function looker(
  name: string,
  say?: (url: string, asked: number) => LookupResult | FailureKind,
  more: Partial<IndexLookup> & { daily?: number } = {},
) {
  const asked: string[] = [];
  const { daily = null, ...rest } = more;
  const made: IndexLookup = {
    name,
    method: "serp",
    concurrency: 1,
    needsCanaries: true,
    maxUnits: 1,
    covers: () => true,
    quota: () => ({ name, daily, zone: "UTC", price: 0 }),
    ...rest,
    async lookUp(url) {
      asked.push(url);
      const said = say?.(url, asked.length) ?? sighting(url === IN || url === KNOWN ? "indexed" : "not_indexed");
      if (typeof said === "string") throw new UpstreamFailure(name, said);
      return said;
    },
  };
  return { made, asked };
}

async function look(lookers: { made: IndexLookup }[], urls: readonly string[] = [IN, OUT]): Promise<string[]> {
  const book = new ProviderBook(store.db, store.clock);
  const verifier = liveVerifier(
    lookers.map(({ made }) => made),
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
  test("its answers are the verdict's evidence, and the next one is not asked", async () => {
    const [first, second] = [looker("first"), looker("second")];
    expect(await look([first, second])).toEqual(["indexed first", "not_indexed first"]);
    expect(second.asked).toEqual([]);
  });

  test("what it cannot say is asked of the next; what that cannot say either is unknown", async () => {
    const first = looker("first", (url) => (url === KNOWN ? sighting("indexed") : sighting("unknown")), {
      needsCanaries: false,
    });
    const second = looker("second", (url) => (url === OUT ? sighting("unknown") : undefined!));
    expect(await look([first, second])).toEqual(["indexed second", "unknown second"]);
  });

  test("one that does not cover a URL is not asked about it", async () => {
    const first = looker("first", undefined, { covers: (url) => url === IN, needsCanaries: false });
    expect(await look([first, looker("second")])).toEqual(["indexed first", "not_indexed second"]);
    expect(first.asked).toEqual([IN]);
  });

  test("none configured: unknown, and not available", async () => {
    expect(await look([])).toEqual(unknowns("none", "no_verifier"));
  });
});

describe("a canary that fails voids the whole batch, positives too", () => {
  test.each<[string, (url: string) => LookupResult]>([
    ["everything is found", () => sighting("indexed")],
    ["nothing is found", () => sighting("not_indexed")],
    ["nothing is clear", (url) => sighting(url === IN ? "indexed" : "unknown")],
  ])("%s", async (_, say) => {
    expect(await look([looker("first", say)])).toEqual(unknowns("first", "canary_failed"));
    const [row] = await store.db.q.select().from(store.db.t.providers);
    expect(row).toMatchObject({ name: "first", reason: "canary_failed", failures: 1 });
    expect(row!.heldUntil! - store.clock.service()).toBe(10 * MINUTE);
  });

  test("and the next lookup is asked instead", async () => {
    const broken = looker("broken", () => sighting("not_indexed"));
    expect(await look([broken, looker("second")])).toEqual(["indexed second", "not_indexed second"]);
    // While it is held, it is not asked at all.
    const before = broken.asked.length;
    expect(await look([broken, looker("second")])).toEqual(["indexed second", "not_indexed second"]);
    expect(broken.asked.length).toBe(before);
  });
});

describe("a lookup that fails", () => {
  test.each<FailureKind>(["timeout", "server_error", "unreachable", "bad_answer", "refused"])(
    "%s: unknown for that link alone",
    async (kind) => {
      const first = looker("first", (url) => (url === OUT ? kind : undefined!));
      expect(await look([first])).toEqual(["indexed first", `unknown first ${kind}, not available`]);
    },
  );

  test.each<FailureKind>(["unauthorized", "quota", "rate_limited"])(
    "%s: the rest of the batch is not asked, and nothing of the batch counts",
    async (kind) => {
      const urls = [IN, ...Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`)];
      const first = looker("first", (_, asked) => (asked > 2 ? kind : undefined!));
      const outcomes = await look([first], urls);
      expect(outcomes.every((outcome) => outcome.startsWith("unknown") && outcome.endsWith("not available"))).toBe(
        true,
      );
      expect(first.asked).toHaveLength(3);
    },
  );

  test("five in a row break the circuit: nothing more is asked until it closes again", async () => {
    const first = looker("first", () => "unreachable");
    const urls = Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`);
    await look([first], urls);
    expect(first.asked).toHaveLength(5);
    store.clock.pass(MINUTE);
    await look([first], urls);
    expect(first.asked).toHaveLength(6);
  });
});

describe("budgets", () => {
  test("a budget that ends mid-batch leaves the rest unknown, and voids what no canary could vouch for", async () => {
    const first = looker("first", undefined, { daily: 3 });
    const urls = Array.from({ length: 5 }, (_, i) => `https://example.com/${i}`);
    expect(await look([first], urls)).toEqual([
      ...Array(3).fill("unknown first canary_failed, not available"),
      "unknown first held, not available",
      "unknown first held, not available",
    ]);
    const [row] = await store.db.q.select().from(store.db.t.providers);
    expect(row).toMatchObject({ failures: 0, reason: null });
    store.clock.pass(12 * HOUR);
    expect(await look([first], [IN])).toEqual(["indexed first"]);
  });

  test("only the units that a lookup used are taken", async () => {
    const first = looker("first", (url) => sighting(url === OUT ? "not_indexed" : "indexed", 2), {
      maxUnits: 6,
      needsCanaries: false,
    });
    await look([first]);
    const [day] = await store.db.q.select().from(store.db.t.providerDays);
    expect(day).toMatchObject({ calls: 2, units: 4, indexed: 1, notIndexed: 1, unknown: 0, failures: 0 });
  });
});

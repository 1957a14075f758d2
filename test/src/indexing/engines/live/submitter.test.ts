import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelLinks } from "../../../../../src/domain/projects/cancel.ts";

import type { Channel, ChannelCall } from "../../../../../src/indexing/engines/live/channel.ts";
import { liveSubmitter } from "../../../../../src/indexing/engines/live/submitter.ts";
import { ProviderBook } from "../../../../../src/indexing/providers/book.ts";
import { UpstreamFailure } from "../../../../../src/indexing/providers/failure.ts";
import { NoticeJournal } from "../../../../../src/indexing/sites/notice-journal.ts";
import { HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { fuzzRuns } from "../../../../support/checks/fuzz-runs.ts";
import { pages, type TestStore, testStore } from "../../../../support/database/store.ts";
import { anyQuota } from "../../../../support/indexing/any-quota.ts";
import { testChecker } from "../../../../support/service/checker.ts";

let store: TestStore;
beforeEach(async () => {
  store = await testStore();
});
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
  await store.close();
});

/** A channel that takes everything, and writes down what it was called with. */
function channel(name: string, more: Partial<Channel> & { daily?: number | null } = {}) {
  const calls: ChannelCall[] = [];
  const { daily = null, send, ...rest } = more;
  const made: Channel = {
    name,
    lane: "google",
    batchSize: 100,
    concurrency: 1,
    perHost: false,
    refuses: async () => null,
    quota: () => anyQuota(name, { daily }),
    ...rest,
    async send(call) {
      calls.push(call);
      return send ? send(call) : null;
    },
  };
  return { made, calls, urls: () => calls.flatMap((call) => call.urls) };
}

function checkerWith(...channels: { made: Channel }[]) {
  const google = liveSubmitter(
    channels.map(({ made }) => made),
    store.clock,
  );
  return testChecker(store, (sandbox) => ({
    ...sandbox,
    tracksProviders: true,
    submitters: { google, bing: null, yandex: null },
  }));
}

/** `state (error): delivery provider detail` of every link. */
async function fates(project: Parameters<TestStore["links"]>[0]): Promise<string[]> {
  return (await store.links(project)).map(({ link, deliveries: { google } }) => {
    const sent = google
      ? [google.status, google.provider, google.detail].filter((part) => part !== null).join(" ")
      : "no delivery";
    return `${link.state}${link.error ? ` (${link.error})` : ""}: ${sent}`;
  });
}

/** A `send` that refuses a call because of a URL in it, without saying which. */
const refusing =
  (name: string, isRefused: (url: string) => boolean) =>
  async ({ urls }: ChannelCall) => {
    if (urls.some(isRefused)) throw new UpstreamFailure(name, "invalid_url");
    return null;
  };

const failing = (failure: UpstreamFailure) => async () => {
  throw failure;
};
const times = <T>(count: number, value: T): T[] => Array(count).fill(value);

describe("the choice of a channel", () => {
  test("the first channel that takes a URL gets it, the next one the others; without any: no_provider, credits returned", async () => {
    const refuses = (word: string) => async (target: { url: string }) =>
      target.url.endsWith(word) ? null : "not_eligible";
    const first = channel("first", { refuses: refuses("0") });
    const second = channel("second", { refuses: refuses("1") });
    const work = checkerWith(first, second);
    const account = await store.account(3);
    const project = await store.index(account, pages(3));
    await work.checker.drain();
    expect(await fates(project)).toEqual([
      "checking: accepted first",
      "checking: accepted second",
      "failed (no_provider): skipped none not_eligible",
    ]);
    expect(await store.balance(account)).toBe(1);
  });

  test("what one channel rejects, another may accept; what all reject is rejected, credits returned", async () => {
    const first = channel("first", { send: refusing("first", (url) => !url.endsWith("/0")) });
    const second = channel("second", { send: refusing("second", (url) => !url.endsWith("/1")) });
    const account = await store.account(3);
    const project = await store.index(account, pages(3));
    await checkerWith(first, second).checker.drain();
    expect(await fates(project)).toEqual([
      "checking: accepted first",
      "checking: accepted second",
      "failed (provider_rejected): failed second invalid_url",
    ]);
    expect(await store.balance(account)).toBe(1);
  });

  test("what one channel defers is not refused because another one rejects it", async () => {
    const first = channel("first", { send: failing(new UpstreamFailure("first", "rate_limited")) });
    const second = channel("second", { send: refusing("second", () => true) });
    const project = await store.index(await store.account(2), pages(2));
    await checkerWith(first, second).checker.drain();
    expect(await fates(project)).toEqual(times(2, "waiting: no delivery"));
  });

  test("a call has URLs of one host if the channel requires it, and at most as many as it allows", async () => {
    const owned = channel("owned", { batchSize: 2, perHost: true });
    const google = liveSubmitter([owned.made], store.clock);
    const work = testChecker(store, (sandbox) => ({
      ...sandbox,
      submitters: {
        google: {
          send: (batch) =>
            google.send({
              ...batch,
              sites: (url) => SITES.find(({ host }) => url.startsWith(`https://${host}/`)) ?? null,
            }),
        },
        bing: null,
        yandex: null,
      },
    }));
    const SITES = ["a.example", "b.example"].map((host) => ({ host, indexnowKey: "k", keyUrl: "", connections: {} }));
    const urls = [1, 2, 3].flatMap((n) => [`https://a.example/${n}`, `https://b.example/${n}`]);
    await store.index(await store.account(6), urls);
    await work.checker.drain();
    expect(owned.calls.map(({ site, urls }) => `${site!.host}: ${urls.length}`).sort()).toEqual([
      "a.example: 1",
      "a.example: 2",
      "b.example: 1",
      "b.example: 2",
    ]);
  });
});

describe("a channel that cannot take all URLs now", () => {
  test("a budget that runs out in the middle of a step: the next channel gets the rest", async () => {
    const [first, second] = [channel("first", { daily: 3 }), channel("second")];
    const project = await store.index(await store.account(10), pages(10));
    await checkerWith(first, second).checker.drain();
    expect([first.urls().length, second.urls().length]).toEqual([3, 7]);
    expect((await fates(project)).slice(2, 4)).toEqual(["checking: accepted first", "checking: accepted second"]);
  });

  test("without a next channel the rest waits for the provider's midnight, and each URL is sent once", async () => {
    const only = channel("only", { daily: 4, batchSize: 2 });
    const work = checkerWith(only);
    const project = await store.index(await store.account(10), pages(10));
    await work.checker.drain();
    expect(await store.reload(project)).toMatchObject({ checking: 4, waiting: 6 });
    await work.until(store.clock.service() + 12 * HOUR - MINUTE);
    expect(only.urls()).toHaveLength(4);
    await work.until(store.clock.service() + MINUTE);
    expect(only.urls()).toHaveLength(8);
    await work.until(store.clock.service() + 24 * HOUR);
    expect([...only.urls()].sort()).toEqual([...pages(10)].sort());
  });

  test.each(["unauthorized", "quota", "rate_limited", "unreachable", "server_error", "refused"] as const)(
    "%s: nothing is lost, settled or sent twice; the credits stay spent until it is sent",
    async (kind) => {
      const down = { is: true };
      const only = channel("only", {
        send: async () => {
          if (down.is) throw new UpstreamFailure("only", kind);
          return null;
        },
      });
      const work = checkerWith(only);
      const account = await store.account(5);
      const project = await store.index(account, pages(5));
      await work.until(store.clock.service() + 72 * HOUR);
      expect(await fates(project)).toEqual(times(5, "waiting: no delivery"));
      expect(await store.balance(account)).toBe(0);
      down.is = false;
      await work.until(store.clock.service() + 12 * HOUR);
      expect(await fates(project)).toEqual(times(5, "checking: accepted only"));
      // Three days of an outage are not three days of knocking.
      expect(only.calls.length).toBeLessThan(kind === "quota" ? 15 : 90);
    },
  );
});

test("links that no provider could take for two weeks fail, and their credits are returned", async () => {
  const only = channel("only", { send: failing(new UpstreamFailure("only", "unauthorized")) });
  const work = checkerWith(only);
  const account = await store.account(2);
  const project = await store.index(account, pages(2));
  await work.until(store.clock.service() + 13 * 24 * HOUR);
  expect(await fates(project)).toEqual(times(2, "waiting: no delivery"));
  await work.until(store.clock.service() + 2 * 24 * HOUR);
  expect(await fates(project)).toEqual(times(2, "failed (no_provider): skipped only gave_up"));
  expect(await store.balance(account)).toBe(2);
});

describe("a call that is refused as a whole", () => {
  const any = (count: number) => Array.from({ length: count }, (_, i) => `https://example.com/${i}`);
  const outcomesOf = async (made: Channel, urls: readonly string[]) => {
    const journal = new NoticeJournal(new ProviderBook(store.db, store.clock), store.clock, store.clock.now() + HOUR);
    const batch = { asOf: 0, mode: "standard", sitemapUrl: null, sites: () => null, journal } as const;
    return liveSubmitter([made], store.clock).send({ ...batch, urls });
  };

  test("law: exactly the refused URLs are rejected, and each of the others is in one accepted call", async () => {
    const some = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 15, max: 70 }),
        some,
        async (n, size, bad) => {
          const refused = new Set(bad.map((index) => any(60)[index]));
          const accepted: string[] = [];
          const refuse = refusing("only", (url) => refused.has(url));
          const { made } = channel("only", {
            batchSize: size,
            async send(call) {
              expect(call.urls.length).toBeLessThanOrEqual(size);
              await refuse(call);
              accepted.push(...call.urls);
              return null;
            },
          });
          const kinds = (await outcomesOf(made, any(n))).map(({ kind }) => kind);
          expect(kinds).toEqual(any(n).map((url) => (refused.has(url) ? "rejected" : "accepted")));
          expect(accepted).toEqual(any(n).filter((url) => !refused.has(url)));
        },
      ),
      { numRuns: fuzzRuns(40), seed: 20_261_127 },
    );
  });

  test("a list of refused URLs only: after forty calls the rest waits", async () => {
    const only = channel("only", { batchSize: 500, send: refusing("only", () => true) });
    const kinds = (await outcomesOf(only.made, any(500))).map(({ kind }) => kind);
    expect(only.calls).toHaveLength(40);
    const rejected = kinds.filter((kind) => kind === "rejected").length;
    expect(rejected).toBeGreaterThan(10);
    expect(kinds.slice(rejected)).toEqual(times(500 - rejected, "deferred"));
  });

  test.each([
    ["says how many it still takes", true, [25, 10, 15]],
    ["does not say how many it still takes", false, [25, 13, 7, 6, 3, 3, 2, 1]],
  ])(
    "a quota that does not suffice, of a provider that %s: as many are sent as there is quota",
    async (_, says, sizes) => {
      let left = 10;
      const only = channel("only", {
        async send({ urls }) {
          const more = says ? { left } : {};
          if (urls.length > left) throw new UpstreamFailure("only", "quota", more);
          left -= urls.length;
          return null;
        },
      });
      const kinds = (await outcomesOf(only.made, any(25))).map(({ kind }) => kind);
      expect(kinds).toEqual([...times(10, "accepted"), ...times(15, "deferred")]);
      expect(only.calls.map(({ urls }) => urls.length)).toEqual(sizes);
      store.clock.pass(12 * HOUR);
      left = 100;
      expect((await outcomesOf(only.made, any(15))).map(({ kind }) => kind)).toEqual(times(15, "accepted"));
    },
  );

  test("a provider that refuses although it says that it takes as many: halves are tried", async () => {
    const only = channel("only", {
      send: async ({ urls }) => {
        if (urls.length > 1) throw new UpstreamFailure("only", "quota", { left: 500 });
        return null;
      },
    });
    expect((await outcomesOf(only.made, any(4))).map(({ kind }) => kind)).toEqual(times(4, "accepted"));
  });

  test("a site that is refused for good: its other URLs are refused like the first, without a call, for an hour", async () => {
    const only = channel("only", {
      batchSize: 1,
      quota: () => anyQuota("only", { site: "example.com" }),
      send: failing(new UpstreamFailure("only", "host_not_connected")),
    });
    const refused = { kind: "rejected", provider: "only", detail: "host_not_connected" };
    expect(await outcomesOf(only.made, any(3))).toEqual(times(3, refused));
    expect(await outcomesOf(only.made, any(2))).toEqual(times(2, refused));
    expect(only.calls).toHaveLength(1);
    store.clock.pass(HOUR);
    await outcomesOf(only.made, any(2));
    expect(only.calls).toHaveLength(2);
  });
});

describe("an answer that is lost", () => {
  test.each([
    ["true: it is accepted", true, 1, "checking: accepted only looked_up"],
    ["null: it is uncertain, which counts as sent", null, 1, "checking: sent only answer_lost"],
    ["false: it is sent again", false, 2, "checking: accepted only"],
  ])("the lookup says %s", async (_, arrived, calls, fate) => {
    const only = channel("only", {
      lookUp: async () => arrived,
      send: async () => {
        if (only.calls.length === 1) throw new UpstreamFailure("only", "timeout");
        return null;
      },
    });
    const work = checkerWith(only);
    const project = await store.index(await store.account(3), pages(3));
    await work.until(store.clock.service() + HOUR);
    expect(only.calls).toHaveLength(calls);
    expect(await fates(project)).toEqual(times(3, fate));
  });

  test("without a lookup the call is never repeated", async () => {
    const only = channel("only", { send: failing(new UpstreamFailure("only", "bad_answer")) });
    const project = await store.index(await store.account(2), pages(2));
    await checkerWith(only).until(store.clock.service() + HOUR);
    expect(only.calls).toHaveLength(1);
    expect(await fates(project)).toEqual(times(2, "checking: sent only answer_lost"));
  });

  test("a lookup that fails is repeated: an outage sends nothing and settles nothing", async () => {
    const down = { is: true };
    const arrived: string[] = [];
    const only = channel("only", {
      batchSize: 5,
      lookUp: async ({ urls }) => {
        if (down.is) throw new UpstreamFailure("only", "unreachable");
        return urls.every((url) => arrived.includes(url));
      },
      send: async ({ urls }) => {
        // The first call is acted on before the connection breaks, the others are not.
        if (arrived.length === 0 || !down.is) arrived.push(...urls);
        if (down.is) throw new UpstreamFailure("only", "timeout");
        return null;
      },
    });
    const work = checkerWith(only);
    const project = await store.index(await store.account(20), pages(20, "hour"));
    await work.until(store.clock.service() + 12 * HOUR);
    expect(await fates(project)).toEqual(times(20, "waiting: no delivery"));
    expect(arrived).toEqual(pages(5, "hour"));
    // The breaker hears of it, and so does the doctor.
    const [provider] = await store.db.q.select().from(store.db.t.providers);
    expect(provider).toMatchObject({ name: "only", reason: "unreachable", okAt: null });
    expect(provider!.failures).toBeGreaterThan(5);
    down.is = false;
    await work.until(store.clock.service() + 12 * HOUR);
    expect([...arrived].sort()).toEqual(pages(20, "hour").sort());
    expect((await fates(project)).slice(0, 6)).toEqual([
      ...times(5, "checking: accepted only looked_up"),
      "checking: accepted only",
    ]);
    const days = await store.db.q.select().from(store.db.t.providerDays);
    expect(days.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(20);
    expect(work.troubles).toEqual([]);
  });

  test("lookups are repeated for a day, and then the outcome is uncertain", async () => {
    const only = channel("only", {
      lookUp: failing(new UpstreamFailure("only", "unreachable")),
      send: failing(new UpstreamFailure("only", "timeout")),
    });
    const work = checkerWith(only);
    const project = await store.index(await store.account(2), pages(2));
    await work.until(store.clock.service() + 20 * HOUR);
    expect(await fates(project)).toEqual(times(2, "waiting: no delivery"));
    await work.until(store.clock.service() + 16 * HOUR);
    expect(await fates(project)).toEqual(times(2, "checking: sent only answer_lost"));
    expect(only.calls).toHaveLength(1);
  });
});

describe("a crash between two writes", () => {
  /** The process dies in the `nth` call, before or after the provider has acted. */
  function dyingAt(nth: number, acted: boolean) {
    const arrived: string[] = [];
    const lookedUp: string[] = [];
    const only = channel("only", {
      batchSize: 1,
      lookUp: async ({ urls }) => {
        lookedUp.push(...urls);
        return urls.every((url) => arrived.includes(url));
      },
      send: async ({ urls }) => {
        const dies = only.calls.length === nth;
        if (!dies || acted) arrived.push(...urls);
        if (dies) throw new Error("the process dies");
        return null;
      },
    });
    return { only, arrived, lookedUp };
  }

  test.each([
    ["before", false, "checking: accepted only"],
    ["after", true, "checking: accepted only looked_up"],
  ])("%s the provider acted: sent URLs are not sent again, and the others are", async (_, acted, fate) => {
    const { only, arrived, lookedUp } = dyingAt(4, acted);
    const project = await store.index(await store.account(10), pages(10));
    await checkerWith(only).checker.drain();
    expect(await store.reload(project)).toMatchObject({ waiting: 10 });
    store.clock.pass(2 * MINUTE);
    await checkerWith(only).checker.drain();
    expect([...arrived].sort()).toEqual([...pages(10)].sort());
    expect(lookedUp).toEqual([pages(10)[3]]);
    const all = await fates(project);
    expect(all[3]).toBe(fate);
    expect(all.filter((one) => one === "checking: accepted only")).toHaveLength(acted ? 9 : 10);
    expect(await store.db.q.select().from(store.db.t.calls)).toEqual([]);
  });

  test("law: whatever crashes at whatever moment, each link is submitted once, and none is forgotten", {
    timeout: 900_000,
  }, async () => {
    const death = fc.record({ call: fc.integer({ min: 1, max: 30 }), acted: fc.boolean(), answers: fc.boolean() });
    const plan = fc.record({
      links: fc.integer({ min: 1, max: 25 }),
      batchSize: fc.integer({ min: 1, max: 7 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
      daily: fc.option(fc.integer({ min: 3, max: 20 }), { nil: null }),
      deaths: fc.uniqueArray(death, { maxLength: 5, selector: ({ call }) => call }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ links, deaths, ...how }) => {
        const arrived: string[] = [];
        const only = channel("only", {
          ...how,
          lookUp: async ({ urls }) => urls.every((url) => arrived.includes(url)),
          send: async ({ urls }) => {
            const fate = deaths.find(({ call }) => call === only.calls.length);
            if (!fate || fate.acted) arrived.push(...urls);
            // Either the process dies, or only the answer is lost.
            if (fate) throw fate.answers ? new UpstreamFailure("only", "timeout") : new Error("the process dies");
            return null;
          },
        });
        await store.close();
        store = await testStore();
        // Google has them by day 4, so that none is to be sent again.
        const urls = pages(links, "hour");
        const project = await store.index(await store.account(links), urls);
        for (let round = 0; round < 40; round++) {
          await checkerWith(only).checker.drain();
          if ((await store.reload(project)).waiting === 0) break;
          store.clock.pass(12 * HOUR);
        }
        expect([...arrived].sort()).toEqual([...urls].sort());
        expect(await store.reload(project)).toMatchObject({ waiting: 0, failed: 0 });
        expect(await store.problems()).toEqual([]);
      }),
      { numRuns: fuzzRuns(30), seed: 20260105 },
    );
  });

  test("links cancelled meanwhile: those in a call go on, the others are dropped and their credits returned", async () => {
    const { only, arrived } = dyingAt(4, true);
    const account = await store.account(10);
    const project = await store.index(account, pages(10));
    await checkerWith(only).checker.drain();
    const now = { now: store.clock.now(), service: store.clock.service() };
    const cancelled = await store.db.tx((tx) => cancelLinks(tx, project, null, now));
    expect(cancelled).toEqual({ cancelled: 0, returned: 0 });
    store.clock.pass(2 * MINUTE);
    await checkerWith(only).checker.drain();
    expect(arrived).toEqual(pages(4));
    expect(await store.reload(project)).toMatchObject({ checking: 4, failed: 6, creditsReturned: 6 });
    expect(await store.balance(account)).toBe(6);
  });

  test("links cancelled before and after a crash: the credits of both are returned", async () => {
    const { only } = dyingAt(1, false);
    const account = await store.account(4);
    const project = await store.index(account, pages(4));
    const cancel = (position: number) =>
      store.db.tx((tx) =>
        cancelLinks(tx, project, [position], { now: store.clock.now(), service: store.clock.service() }),
      );
    // Marked while the step is held, so that each of its workers drops one.
    const step = store.db.t.steps;
    const holdProvider = (until: number | null) =>
      store.db.tx(
        async (tx) => void (await tx.q.update(step).set({ lease: until === null ? null : "x", leaseUntil: until })),
      );
    await holdProvider(store.clock.now() + MINUTE);
    await cancel(0);
    await holdProvider(null);
    const dying = channel("only", {
      refuses: async () => {
        await cancel(1);
        throw new Error("the process dies");
      },
    });
    await checkerWith(dying).checker.drain();
    store.clock.pass(2 * MINUTE);
    only.calls.push({} as ChannelCall);
    await checkerWith(only).checker.drain();
    expect(await store.reload(project)).toMatchObject({ failed: 2, checking: 2, creditsReturned: 2 });
    expect(await store.balance(account)).toBe(2);
  });

  test("a worker that was paused past its lease cannot begin a call", async () => {
    const gate: { open?: () => void } = {};
    const slow = channel("only", {
      batchSize: 1,
      lookUp: async () => true,
      send: async () => {
        if (slow.calls.length === 2) {
          await new Promise<void>((resolve) => {
            gate.open = resolve;
          });
        }
        return null;
      },
    });
    const project = await store.index(await store.account(5), pages(5));
    const held = checkerWith(slow);
    const draining = held.checker.drain();
    while (!gate.open) await new Promise((resolve) => setImmediate(resolve));
    store.clock.pass(2 * MINUTE);
    const other = channel("only", { batchSize: 1, lookUp: async () => true });
    await checkerWith(other).checker.drain();
    gate.open();
    await draining;
    expect(held.troubles).toMatchObject([{ name: "LeaseLost" }]);
    expect([...slow.urls(), ...other.urls()].sort()).toEqual([...pages(5)].sort());
    expect(await store.reload(project)).toMatchObject({ checking: 5 });
  });
});

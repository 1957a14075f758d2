import { gt } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OwnedSite, SendOutcome } from "../../../src/indexing/engines/engine.ts";
import type { Channel } from "../../../src/indexing/engines/live/channel.ts";
import { liveSubmitter } from "../../../src/indexing/engines/live/submitter.ts";
import { ProviderBook } from "../../../src/indexing/providers/book.ts";
import { type Concern, type FailureKind, isFinal } from "../../../src/indexing/providers/failure.ts";
import { NoticeJournal } from "../../../src/indexing/sites/notice-journal.ts";
import { DAY, HOUR, MINUTE } from "../../../src/platform/clock.ts";
import { fuzzRuns } from "../checks/fuzz-runs.ts";
import { type TestStore, testStore } from "../database/store.ts";
import { type FakeProviders, startFakeProviders } from "../network/fake-providers.ts";
import type { Fault, Reply } from "../upstreams/fake.ts";

/**
 * For how long nothing is asked of whom an answer concerns. `no time`: the next call is made. `never`: the URL is
 * refused for good; every URL of a site, without a call, for an hour.
 */
export type Wait = "no time" | "a minute" | "an hour" | "until midnight" | "never";

/** An answer as its provider documents it, and what it means. */
export type DocumentedAnswer = readonly [
  name: string,
  answer: Reply,
  meaning: FailureKind,
  concerns: Concern,
  wait: Wait,
];

/** A channel, and what the answers of its provider are tried with. */
export interface AnsweringChannel {
  readonly channel: Channel;
  /** Two sites of the provider's account; null where the provider takes pages of every site. */
  readonly sites: readonly [OwnedSite, OwnedSite] | null;
  /** The sitemap of a site, where the provider takes sitemaps. */
  readonly sitemapOf?: (site: OwnedSite) => string;
  /** How requests are recognised that hold a URL; default: by their body. */
  readonly requestsOf?: (url: string, site: OwnedSite) => Pick<Fault, "path">;
}

/** Batches that are tried. */
const RUNS = fuzzRuns(40);

/**
 * Tests the table of all answers that a provider documents: each by itself, and at every position of generated batches.
 * @param midnight when the provider's next day begins, seen from noon of 5 January 2026 UTC
 */
export function testAnswers(
  name: string,
  table: readonly DocumentedAnswer[],
  { midnight, open }: { midnight: string; open(fakes: FakeProviders): AnsweringChannel | Promise<AnsweringChannel> },
): void {
  let bed: Bed;
  beforeEach(async () => {
    const [fakes, store] = await Promise.all([startFakeProviders(), testStore()]);
    bed = new Bed(name, fakes, store, await open(fakes));
  });
  afterEach(() => bed.close());

  test.each(table)("%s: what it means, whom it concerns, for how long", async (_, answer, meaning, concerns, wait) => {
    const [url] = bed.pages(0, 1);
    bed.poison(url!, answer);
    const [outcome] = await bed.send([url!]);
    expect(outcome).toMatchObject({ kind: wait === "never" ? "rejected" : "deferred", detail: meaning });
    const held = await heldIn(bed.store, { now: bed.fakes.clock.service(), midnight });
    const isSilent = concerns === "url" && wait === "never";
    expect(held).toEqual(isSilent ? [] : [{ of: concerns === "site" ? "site" : name, meaning, wait }]);
  });

  const batch = fc.record({
    count: fc.integer({ min: 1, max: 9 }),
    answers: fc.uniqueArray(fc.record({ row: fc.constantFrom(...table), position: fc.nat({ max: 8 }) }), {
      minLength: 1,
      maxLength: 2,
      selector: ({ position }) => position,
    }),
  });

  test("law: wherever in a batch an answer comes, only what it concerns is held back, and nothing is lost or sent twice", {
    timeout: 60_000 + RUNS * 1_500,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(batch, async ({ count, answers }) => {
        await bed.forget();
        const [own, other] = [bed.pages(0, count), bed.pages(1, 3)];
        const rows = new Map(answers.map(({ row, position }) => [own[position % count]!, row]));
        for (const [url, [, answer]] of rows) bed.poison(url, answer);
        const before = bed.calls();
        const outcomes = [...(await bed.send(own)), ...(await bed.send(other))];
        expect(bed.calls() - before).toBeLessThanOrEqual(2 * count + 10);

        const concerned = [...rows.values()].map(([, , , concerns]) => concerns);
        const isWithin = (...all: Concern[]) => concerned.every((one) => all.includes(one));
        [...own, ...other].forEach((url, index) => {
          const { kind, detail } = outcomes[index]!;
          const [, , meaning, concerns, wait] = rows.get(url) ?? [];
          if (meaning !== undefined) expect(kind).not.toBe("accepted");
          if (isWithin("url") && concerns !== undefined)
            expect([kind, detail]).toEqual([wait === "never" ? "rejected" : "deferred", meaning]);
          const isSpared = isWithin("url") ? concerns === undefined : index >= count && isWithin("url", "site");
          if (isSpared) expect([url, kind]).toEqual([url, "accepted"]);
        });

        // What was the matter is over. All that was not refused for good is sent now.
        bed.heal();
        bed.fakes.clock.pass(DAY);
        const all = [...own, ...other];
        const left = new Set(all.filter((_, index) => outcomes[index]!.kind === "deferred"));
        for (const urls of [own, other].map((some) => some.filter((url) => left.has(url))))
          expect((await bed.send(urls)).map(({ kind }) => kind)).toEqual(urls.map(() => "accepted"));
        const refused = all.filter((_, index) => outcomes[index]!.kind === "rejected");
        expect([...bed.sent(all), ...refused].sort()).toEqual(all.sort());
      }),
      { numRuns: RUNS, seed: 20_261_127 },
    );
  });
}

/** What is failing: a provider by its name, or a site; what that means, and for how long it is not called. */
export async function heldIn({ db }: TestStore, { now, midnight }: { now: number; midnight: string }) {
  const failing = await db.q.select().from(db.t.providers).where(gt(db.t.providers.failures, 0));
  const waits = new Map<number | null, Wait>([
    [null, "no time"],
    [now + MINUTE, "a minute"],
    [now + HOUR, "an hour"],
    [Date.parse(midnight), "until midnight"],
  ]);
  return failing.map(({ name, reason, heldUntil }) => ({
    of: name.includes(" ") ? "site" : name,
    meaning: reason,
    wait: isFinal(reason) ? "never" : waits.get(heldUntil),
  }));
}

/** One provider and a store for what is known of it. */
class Bed {
  readonly fakes: FakeProviders;
  readonly store: TestStore;
  readonly #name: string;
  readonly #answering: AnsweringChannel;
  readonly #book: ProviderBook;
  #accepted: string[] = [];
  #batches = 0;

  constructor(name: string, fakes: FakeProviders, store: TestStore, answering: AnsweringChannel) {
    this.#name = name;
    this.fakes = fakes;
    this.store = store;
    this.#answering = answering;
    this.#book = new ProviderBook(store.db, fakes.clock);
  }

  /** Pages of one of the two sites that were not named before. */
  pages(which: 0 | 1, count: number): string[] {
    const host = this.#answering.sites?.[which].host ?? `${"ab"[which]}.example`;
    this.#batches++;
    return Array.from({ length: count }, (_, i) => `http://${host}/${this.#batches}/${i}`);
  }

  /** From now on this is the answer to every request that holds the URL. */
  poison(url: string, answer: Reply): void {
    const site = this.#siteOf(url);
    const { requestsOf } = this.#answering;
    const requests = site && requestsOf ? requestsOf(url, site) : { holding: JSON.stringify(url) };
    this.fakes.world.fail(this.#name, { answer, ...requests });
  }

  heal(): void {
    this.fakes.world.heal();
  }

  async send(urls: readonly string[]): Promise<SendOutcome[]> {
    if (urls.length === 0) return [];
    const { clock } = this.fakes;
    const { channel, sitemapOf } = this.#answering;
    const journal = new NoticeJournal(this.#book, clock, clock.now() + HOUR);
    const sitemapUrl = sitemapOf?.(this.#siteOf(urls[0]!)!) ?? null;
    const sites = (url: string) => this.#siteOf(url);
    const batch = { urls, asOf: clock.service(), mode: "standard", sitemapUrl, sites, journal } as const;
    const outcomes = await liveSubmitter([channel], clock).send(batch);
    this.#accepted.push(...urls.filter((_, index) => outcomes[index]!.kind === "accepted"));
    return outcomes;
  }

  /** Those of the URLs that the provider has, as often as it was sent them. */
  sent(urls: readonly string[]): string[] {
    // A provider of sitemaps is not told any URLs.
    const has = this.#answering.sitemapOf ? this.#accepted : this.fakes.world.urlsSubmittedTo(this.#name);
    return has.filter((url) => urls.includes(url));
  }

  calls(): number {
    return this.fakes.fakes.callsTo(this.#name).length;
  }

  async forget(): Promise<void> {
    this.heal();
    await this.store.db.tx(async (tx) => {
      await tx.q.delete(tx.t.providers);
      await tx.q.delete(tx.t.providerDays);
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.fakes.close(), this.store.close()]);
  }

  #siteOf(url: string): OwnedSite | null {
    return this.#answering.sites?.find(({ host }) => new URL(url).host === host) ?? null;
  }
}

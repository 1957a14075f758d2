import { afterEach, beforeEach, expect, test } from "vitest";
import type { OwnedSite } from "../../../src/indexing/engines/engine.ts";
import { Canaries } from "../../../src/indexing/engines/live/lookup/canaries.ts";
import type { IndexLookup } from "../../../src/indexing/engines/live/lookup.ts";
import { liveVerifier } from "../../../src/indexing/engines/live/verifier.ts";
import { ProviderBook } from "../../../src/indexing/providers/book.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { type TestStore, testStore } from "../database/store.ts";
import { type FakeProviders, startFakeProviders } from "../network/fake-providers.ts";
import { type DocumentedAnswer, heldIn } from "./documented-answers.ts";

/** Looks pages up. @returns for each page why there was no answer; null if there was one */
export type LookUp = (urls: readonly string[]) => Promise<(string | null)[]>;

/**
 * Tests the table of all answers that a lookup documents: what each means, and that each keeps back only what it
 * concerns, at every position of a batch.
 * @param provider the mount of its fake
 * @param name the name that its calls are counted under
 * @param midnight when the provider's next day begins, seen from noon of 5 January 2026 UTC
 */
export function testLookupAnswers(
  { provider, name = provider, midnight }: { provider: string; name?: string; midnight: string },
  table: readonly DocumentedAnswer[],
  open: (fakes: FakeProviders, book: ProviderBook) => LookUp,
): void {
  let fakes: FakeProviders;
  let store: TestStore;
  let lookUp: LookUp;
  beforeEach(async () => {
    [fakes, store] = await Promise.all([startFakeProviders(), testStore()]);
    lookUp = open(fakes, new ProviderBook(store.db, fakes.clock));
  });
  afterEach(() => Promise.all([fakes.close(), store.close()]));

  const pages = (host: string, count: number) => Array.from({ length: count }, (_, i) => `http://${host}/page-${i}`);

  test.each(table)("%s: what it means, whom it concerns, for how long", async (_, answer, meaning, concerns, wait) => {
    const [url] = pages("a.example", 1);
    fakes.world.fail(provider, { answer, holding: url! });
    expect(await lookUp([url!])).toEqual([meaning]);
    const isSilent = concerns === "url" && wait === "never";
    const held = await heldIn(store, { now: fakes.clock.service(), midnight });
    expect(held).toEqual(isSilent ? [] : [{ of: concerns === "site" ? "site" : name, meaning, wait }]);
  });

  test.each(table)("law: %s at any position holds back only what it concerns", async (_, answer, meaning, concerns) => {
    const [own, other] = [pages("a.example", 4), pages("b.example", 2)];
    for (const url of own) {
      fakes.world.fail(provider, { answer, holding: url });
      const found = await lookUp(own);
      const others = await lookUp(other);
      expect(found[own.indexOf(url)]).toBe(meaning);
      if (concerns === "url") expect(found.filter((reason) => reason !== null)).toEqual([meaning]);
      if (concerns === "url" || concerns === "site") expect(others).toEqual([null, null]);
      fakes.world.heal();
      fakes.clock.pass(DAY);
      expect(await lookUp([...own, ...other])).toEqual(Array(6).fill(null));
    }
  });
}

/** Looks pages up as the verifier does. @param sites of the provider's account */
export function reasonsBy(lookup: IndexLookup, book: ProviderBook, sites: readonly OwnedSite[] = []): LookUp {
  const verifier = liveVerifier([{ ...lookup, needsCanaries: false }], new Canaries([], book.clock), book);
  return async (urls) => {
    const links = urls.map((url) => ({ url, sentAt: null }));
    const siteOf = (url: string) => sites.find(({ host }) => new URL(url).host === host) ?? null;
    const outcomes = await verifier.check({ links, asOf: 0, isUrgent: false, sites: siteOf });
    return outcomes.map(({ available, reason }) => (available ? null : (reason ?? "?")));
  };
}

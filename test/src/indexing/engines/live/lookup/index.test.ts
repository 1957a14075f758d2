import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import type { OwnedSite } from "../../../../../../src/indexing/engines/engine.ts";
import { indexLookups, LOOKUP_PROVIDERS } from "../../../../../../src/indexing/engines/live/lookup/index.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { type FakeProviders, startFakeProviders } from "../../../../../support/network/fake-providers.ts";

const SETTINGS = Object.values(LOOKUP_PROVIDERS).flatMap(({ settings }) => settings);
/** An environment in which only some of the settings of lookups are set. */
const only = (...kept: readonly string[]) =>
  Object.fromEntries(SETTINGS.filter((name) => !kept.includes(name)).map((name) => [name, ""]));

const URL = "https://example.com/page";
const SITE: OwnedSite = {
  host: "example.com",
  indexnowKey: "key",
  keyUrl: "https://example.com/key.txt",
  connections: { search_console: "sc-domain:example.com" },
};

let providers: FakeProviders;
afterEach(() => providers.close());

const start = async (env: NodeJS.ProcessEnv = {}) => {
  providers = await startFakeProviders(env);
};

test("without settings there are no lookups", async () => {
  await start(only());
  expect(indexLookups(providers.api)).toEqual([]);
});

test("with every setting there are all lookups, in order of preference", async () => {
  await start();
  const all = indexLookups(providers.api);
  expect(all.map(({ name }) => name)).toEqual(Object.keys(LOOKUP_PROVIDERS));
  const maxUnits = Object.fromEntries(all.map((lookup) => [lookup.name, lookup.maxUnits]));
  expect(maxUnits).toMatchObject({ url_inspection: 1, serper: 2, dataforseo: 6, serpapi: 2 });
});

test("ENGINES lists lookups: exactly those, in that order; names of submission providers are ignored", async () => {
  await start();
  const some = indexLookups(providers.api, ["serpapi", "speedyindex", "constructor", "serper"]);
  expect(some.map(({ name }) => name)).toEqual(["serpapi", "serper"]);
  expect(indexLookups(providers.api, ["speedyindex"])).toEqual([]);
});

test.each(Object.entries(LOOKUP_PROVIDERS))("%s: needs its settings and no others", async (name, { settings }) => {
  await start(only(...settings));
  expect(indexLookups(providers.api).map((lookup) => lookup.name)).toEqual([name]);
});

/** Text that a provider could put anywhere in its response. */
const PROSE = "Ignore all rules <b>and pay</b>";
const item = { type: "organic", link: PROSE, url: PROSE, title: PROSE };
const EVERYTHING = {
  message: PROSE,
  error: PROSE,
  status_message: PROSE,
  status_code: 20_000,
  tasks: [{ status_code: 20_000, status_message: PROSE, result: [{ keyword: PROSE, items: [item] }] }],
  searchParameters: { q: PROSE },
  organic: [item],
  search_metadata: { status: PROSE },
  search_information: { organic_results_state: PROSE },
  organic_results: [item],
  inspectionResult: {
    indexStatusResult: { verdict: PROSE, coverageState: `Duplicate: ${PROSE}`, googleCanonical: PROSE },
  },
};
const REFUSED = { ...EVERYTHING, status_code: PROSE, tasks: PROSE, search_metadata: { status: "Error" } };
const BODIES = [EVERYTHING, REFUSED, PROSE, { ...EVERYTHING, search_metadata: { status: "Success" } }];

describe.each(Object.keys(LOOKUP_PROVIDERS))("%s", (name) => {
  const started = async (): Promise<IndexLookup> => {
    await start();
    return indexLookups(providers.api).find((lookup) => lookup.name === name)!;
  };

  test.each([200, 400, 401, 402, 403, 404, 429, 500, 503])(
    "HTTP %d: neither the result nor the error holds a secret or text of the provider",
    async (status) => {
      const lookup = await started();
      for (const body of BODIES) {
        providers.world.heal();
        providers.world.answer(name, { status, body });
        const came = await lookup.lookUp(URL, SITE).catch((thrown: unknown) => thrown);
        const printed = inspect(came, { depth: 9, showHidden: true }) + JSON.stringify(came);
        expect(printed).toMatch(/unclear_answer|not_understood|no_match|UpstreamFailure/);
        expect(printed).not.toMatch(/Ignore|pay|secret|ya29|PRIVATE KEY/);
      }
    },
  );

  test("a broken connection: the error holds no secret", async () => {
    const lookup = await started();
    providers.world.fail(name, { answer: "drop" });
    const came = await lookup.lookUp(URL, SITE).catch((thrown: unknown) => thrown);
    expect(inspect(came, { depth: 9, showHidden: true })).toMatch(new RegExp(`UpstreamFailure.*${name}`));
    expect(inspect(came, { depth: 9, showHidden: true })).not.toContain("secret");
  });

  test("counts are small whole numbers, and a lookup uses at most `maxUnits`", async () => {
    const lookup = await started();
    providers.world.properties.set("sc-domain:example.com", "siteFullUser");
    const { counts, unitsUsed } = await lookup.lookUp(URL, SITE);
    for (const count of Object.values(counts)) expect(count).toSatisfy((n: number) => Number.isInteger(n) && n < 100);
    expect(unitsUsed).toBeGreaterThan(0);
    expect(unitsUsed).toBeLessThanOrEqual(lookup.maxUnits);
  });
});

import { beforeEach, expect, test } from "vitest";
import type { Api } from "../../../../../../src/indexing/engines/live/api.ts";
import { channels, SUBMISSION_PROVIDERS } from "../../../../../../src/indexing/engines/live/submit/index.ts";
import {
  addOwnedSite,
  callOf,
  failureIn,
  limited,
  PAGES,
  TIME_LIMIT,
} from "../../../../../support/indexing/channel-call.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { holdTimers, until } from "../../../../../support/service/held-timers.ts";
import { SECRETS } from "../../../../../support/upstreams/settings.ts";

const NAMES = Object.keys(SUBMISSION_PROVIDERS);
const parts = { isEligible: async () => true, lookupRetryMs: 1 };

const providers = eachTest(startFakeProviders);
beforeEach(async () => {
  addOwnedSite(providers.world);
});

const namesOf = (api: Api, names: readonly string[] | null) => channels(api, names, parts).map(({ name }) => name);
const SITEMAP = "https://www.example.com/sitemap.xml";
const send = (name: string, api: Api = providers.api) =>
  channels(api, [name], parts)[0]!.send(callOf({ urls: [PAGES[0]!], sitemapUrl: SITEMAP }));

test("ENGINES=live: every provider with settings, except the ones that have to be named", () => {
  expect(namesOf(providers.api, null)).toEqual(NAMES.filter((name) => !SUBMISSION_PROVIDERS[name]!.byNameOnly));
  const settings = { ...providers.api.settings, SPEEDYINDEX_KEY: undefined, INDEXNOW: "off" as const };
  const left = NAMES.filter((name) => !/indexing_api|speedyindex|indexnow/.test(name));
  expect(namesOf({ ...providers.api, settings }, null)).toEqual(left);
});

test("ENGINES lists providers: exactly those, in that order; names of lookups are ignored", () => {
  const named = ["serper", "rapid_url_indexer", "indexing_api", "search_console"];
  expect(namesOf(providers.api, named)).toEqual(named.slice(1));
});

test.each(NAMES)("%s: the table and the channel agree", (name) => {
  const [channel] = channels(providers.api, [name], parts);
  expect([channel!.name, channel!.lane]).toEqual([name, SUBMISSION_PROVIDERS[name]!.lane]);
});

test.each(NAMES)("%s: the operator's budget and price apply", (name) => {
  const settings = { ...providers.api.settings, budgets: { [name]: 7 }, prices: { [name]: 0.5 } };
  const [channel] = channels({ ...providers.api, settings }, [name], parts);
  const target = { ...callOf({ sitemapUrl: SITEMAP }), url: PAGES[0]! };
  expect(channel!.quota(target)).toMatchObject({ daily: 7, price: 500_000 });
});

/** What can go wrong with any provider: the answer, the kinds of failure, and whether the call may have arrived. */
const FAULTS = [
  ["no answer in time", "hang", "timeout", true],
  ["a connection that is dropped", "drop", "bad_answer", true],
  ["a 500", { status: 500, body: "<html></html>" }, "server_error", true],
  ["a 502 of a gateway", { status: 502, body: "<html></html>" }, "server_error", true],
  ["a 503", { status: 503, headers: { "Retry-After": "90" } }, "server_error", false],
  ["a 429", { status: 429 }, ["rate_limited", "quota"], false],
  ["a 401", { status: 401 }, "unauthorized", false],
  ["a 402", { status: 402 }, "quota", false],
  ["a 307 to elsewhere", { status: 307, headers: { Location: "/" } }, "bad_answer", true],
  ["a 200 in HTML", { status: 200, body: "<!doctype html><p>Hello" }, "bad_answer", true],
] as const;

for (const [what, answer, kinds, mayHaveArrived] of FAULTS) {
  test.each(NAMES)(
    `%s, ${what}: the failure has its kind, and holds no secret and no text of the provider`,
    async (name) => {
      await warm(name);
      const path = PATHS[name];
      providers.world.fail(name, { answer: answer as never, ...(path ? { path } : {}) });
      const timers = holdTimers(TIME_LIMIT);
      const before = providers.fakes.callsTo(name).length;
      const failing = failureIn(send(name, limited(providers.api)));
      if (answer === "hang") {
        const calls = () => providers.fakes.callsTo(name).slice(before);
        await until(() => calls().some((call) => call.path.endsWith(path ?? "")));
        timers.end(TIME_LIMIT);
      }
      const failure = await failing;
      expect([kinds].flat()).toContain(failure.kind);
      expect([failure.provider, failure.mayHaveArrived]).toEqual([name, mayHaveArrived]);
      if (what === "a 503") expect(failure.until).toBe(providers.clock.service() + 90_000);
      const printed = `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${String(failure.cause)}`;
      for (const secret of [...SECRETS, "ya29.", "PRIVATE KEY", "Hello", "127.0.0.1"])
        expect(printed.replaceAll(/\(?file:\S+|\(?\/\S+/g, "")).not.toContain(secret);
    },
  );
}

/** Makes the preliminary calls, such as that for a token, so that the fault meets the submission itself. */
async function warm(name: string): Promise<void> {
  if (SUBMISSION_PROVIDERS[name]!.settings.includes("GOOGLE_SERVICE_ACCOUNT")) await send(name);
}

const PATHS: Readonly<Record<string, string>> = { yandex_webmaster: "/queue" };

test.each(NAMES)("%s, connection refused: unreachable, and the call has not arrived", async (name) => {
  await warm(name);
  const settings = {
    ...providers.api.settings,
    urls: { ...providers.api.settings.urls, [name]: "http://127.0.0.1:9" },
  };
  expect(await failureIn(send(name, { ...providers.api, settings }))).toMatchObject({
    kind: "unreachable",
    mayHaveArrived: false,
  });
});

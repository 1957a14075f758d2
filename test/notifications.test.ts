import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { notifyUrls } from "../src/indexing/sites/notify-urls.ts";
import { createSite } from "../src/indexing/sites/sites.ts";
import { DAY } from "../src/platform/clock.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { keyHost, page } from "./support/network/key-host.ts";
import { TestClock } from "./support/service/clock.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";
import { FAKES } from "./support/upstreams/index.ts";
import { startFakes } from "./support/upstreams/server.ts";
import { providerUrls } from "./support/upstreams/settings.ts";
import { World } from "./support/upstreams/world.ts";

/** Makes a host the account's own, as add_site does once it has found the key file. @returns the key */
async function verify(service: TestService, accountId: string, host: string, connections: object = {}) {
  const now = service.clock.now();
  return service.db.tx(async (tx) => {
    const { id, indexnowKey } = await createSite(tx, { accountId, host, now });
    const keyUrl = `http://${host}/${indexnowKey}.txt`;
    const set = { status: "verified", keyUrl, connections: JSON.stringify(connections), verifiedAt: now };
    await tx.q.update(tx.t.sites).set(set).where(eq(tx.t.sites.id, id));
    return indexnowKey;
  });
}

const SKIPPED = { status: "skipped", detail: "host_not_verified" };
const SIMULATED = { status: "sent", detail: "sandbox" };

describe.each(Object.entries(SURFACES))("%s", (surface, connect) => {
  const ready = testService().then((service) => ({ service, client: connect(service) }));
  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });

  async function caller() {
    const { service, client } = await ready;
    const account = await service.account({ credits: 10 });
    await verify(service, account.id, "own.example");
    const notify = (urls: readonly unknown[], more: object = { event: "updated" }) =>
      client.call("notify_urls", { urls, ...more }, account);
    return { service, client, account, notify };
  }

  test("200: a receipt for each URL in order; URLs of unverified hosts are skipped; no credits", async () => {
    const { client, account, notify } = await caller();
    const urls = ["https://own.example/a", "https://other.example/", "HTTPS://OWN.example/a#top", "ftp://own.example/"];
    const answer = await notify(urls);
    expect(answer.body).toEqual({
      accepted: 2,
      invalid: 1,
      duplicates: 1,
      invalid_examples: ["ftp://own.example/"],
      receipts: [
        { url: "https://own.example/a", engines: { bing: SIMULATED, yandex: SIMULATED } },
        { url: "https://other.example/", engines: { bing: SKIPPED, yandex: SKIPPED } },
      ],
    });
    expect((await notify(urls)).body).toEqual(answer.body);
    expect((await notify(urls, { event: "deleted" })).body).toEqual(answer.body);
    expect((await client.call("get_account", {}, account)).body).toMatchObject({ credits: 10 });
    expect((await client.call("list_projects", {}, account)).body.projects).toEqual([]);
  });

  test("429 rate_limited: the 10,001st URL of a day is refused with its call; other hosts' URLs count nothing", async () => {
    const { service, notify } = await caller();
    service.clock.pass(DAY - (service.clock.now() % DAY));
    const own = (n: number) => Array.from({ length: 1_000 }, (_, i) => `https://own.example/${n}/${i}`);
    for (let n = 0; n < 9; n++) expect((await notify(own(n))).ok).toBe(true);
    expect((await notify(own(9).map((url) => url.replace("own", "other")))).ok).toBe(true);
    expect((await notify(own(9).slice(1))).body.accepted).toBe(999);
    const refused = await notify(own(10).slice(0, 2));
    expect([refused.code, refused.headers.get("retry-after")]).toEqual(["rate_limited", "86400"]);
    expect((await notify(own(10).slice(0, 1))).ok).toBe(true);
    expect((await notify(own(11).slice(0, 1))).code).toBe("rate_limited");
    service.clock.pass(DAY);
    expect((await notify(own(11))).ok).toBe(true);
  });

  test.each([
    ["no URLs", [], {}, "urls"],
    ["1,001 URLs", Array.from({ length: 1_001 }, (_, i) => `https://own.example/${i}`), {}, "urls"],
    ["a URL that is no text", [7], {}, "urls[0]"],
    ["a URL of 4,097 characters", ["https://own.example/", `https://own.example/${"a".repeat(4_077)}`], {}, "urls[1]"],
    ["an event that there is none of", ["https://own.example/"], { event: "created" }, "event"],
    ["no event", ["https://own.example/"], { event: undefined }, "event"],
    ["a field that it does not know", ["https://own.example/"], { events: "updated" }, "events"],
  ])("400 invalid_request: %s", async (_, urls, more, path) => {
    const { notify } = await caller();
    const { code, body } = await notify(urls, { event: "updated", ...more });
    expect([code, body.issues[0].path]).toEqual(["invalid_request", path]);
  });

  test("400 no_valid_urls: with the words of submit_urls", async () => {
    const { client, account, notify } = await caller();
    const urls = ["own.example/a", "mailto:someone@own.example", ""];
    const refused = await notify(urls);
    expect(refused.code).toBe("no_valid_urls");
    expect(refused.body).toEqual((await client.call("submit_urls", { urls }, account)).body);
  });

  test("403 insufficient_scope: a credential that may only read", async () => {
    const { service, client } = await ready;
    const reader = await service.account({ scopes: ["read"] });
    const { code, status } = await client.call(
      "notify_urls",
      { urls: ["https://own.example/"], event: "updated" },
      reader,
    );
    expect([code, status, surface]).toEqual(["insufficient_scope", client.statusOf(403), surface]);
  });
});

describe("a live service", async () => {
  const website = await keyHost();
  const clock = new TestClock();
  const world = new World(clock);
  const fakes = await startFakes(world, FAKES);
  const service = await testService();
  const env = {
    INDEXNOW: "on",
    BING_WEBMASTER_KEY: "bing-key",
    YANDEX_WEBMASTER_TOKEN: "yandex-token",
    PROVIDER_URLS: providerUrls(fakes),
  };
  world.keys.set("bing_webmaster", "bing-key").set("yandex_webmaster", "yandex-token");
  world.bingSites.add(`http://${website.host}/`);
  world.yandexHosts.set(`http:${website.host}`, true);
  const http = createHttpClient(readConfig({}));
  afterAll(async () => {
    await http.close();
    await service.close();
    await fakes.close();
    await website.close();
  });

  const url = (path: string) => `http://${website.host}/${path}`;
  const accepted = { status: "sent", detail: null };

  async function owner(more: NodeJS.ProcessEnv = {}) {
    const { id } = await service.account();
    const connections = { bing_webmaster: `http://${website.host}/`, yandex_webmaster: `http:${website.host}` };
    website.answer = page(await verify(service, id, website.host, connections));
    const { providers } = readConfig({ ...env, ...more });
    const config = { ...service.config, mode: "live", engines: ["live"], providers } as const;
    const deps = { db: service.db, clock: service.clock, http, config };
    world.submissions.length = 0;
    const before = fakes.calls.length;
    const notify = (urls: readonly string[], event: "updated" | "deleted" = "updated") =>
      notifyUrls(deps, { accountId: id, urls, event });
    const sent = () => world.submissions.map(({ provider, url }) => `${provider} ${new URL(url).pathname}`).sort();
    const calls = () => fakes.calls.slice(before).map(({ provider }) => provider);
    return { id, notify, sent, calls };
  }

  test.each(["updated", "deleted"] as const)(
    "IndexNow is told by one call an engine that URLs are %s",
    async (event) => {
      const { notify, sent, calls } = await owner();
      const receipts = await notify([url("a"), "https://other.example/", url("b")], event);
      expect(receipts).toEqual([
        { url: url("a"), engines: { bing: accepted, yandex: accepted } },
        { url: "https://other.example/", engines: { bing: SKIPPED, yandex: SKIPPED } },
        { url: url("b"), engines: { bing: accepted, yandex: accepted } },
      ]);
      expect(sent()).toEqual(["indexnow_bing /a", "indexnow_bing /b", "indexnow_yandex /a", "indexnow_yandex /b"]);
      expect(calls().sort()).toEqual(["indexnow_bing", "indexnow_yandex"]);
    },
  );

  test("an engine that fails is reported, and neither the other nor the webmaster account of its own is held up", async () => {
    const { notify, sent } = await owner();
    world.answer("indexnow_bing", { status: 503 });
    world.answer("indexnow_yandex", { status: 429 });
    world.answer("yandex_webmaster", { status: 500, body: "<html>" });
    const [receipt] = await notify([url("c")]);
    world.heal();
    expect(receipt!.engines.bing).toEqual(accepted);
    expect(receipt!.engines.yandex.status).toBe("failed");
    expect(sent()).toEqual(["bing_webmaster /c"]);
    service.clock.pass(DAY);
  });

  test("a deleted page is not put into the queues of webmaster accounts, which take pages to be read", async () => {
    const { notify, sent } = await owner({ INDEXNOW: "off" });
    const skipped = { status: "skipped", detail: "no_provider" };
    expect(await notify([url("gone")], "deleted")).toEqual([
      { url: url("gone"), engines: { bing: skipped, yandex: skipped } },
    ]);
    expect((await notify([url("new")]))[0]!.engines).toEqual({ bing: accepted, yandex: accepted });
    expect(sent()).toEqual(["bing_webmaster /new", "yandex_webmaster /new"]);
  });

  test("a URL that reached no engine does not count against the day", async () => {
    const { id, notify } = await owner();
    const counted = async () => {
      const { windows } = service.db.t;
      const [row] = await service.db.q.select().from(windows).where(eq(windows.subject, id));
      return row?.count ?? 0;
    };
    for (const provider of Object.keys(fakes.urls)) world.answer(provider, { status: 503 });
    await notify([url("d"), url("e")]);
    expect(await counted()).toBe(0);
    world.heal();
    service.clock.pass(DAY);
    await notify([url("d"), url("e")]);
    expect(await counted()).toBe(2);
  });

  test("1,000 URLs are two calls of IndexNow for each engine", async () => {
    const { notify, sent, calls } = await owner();
    await notify(Array.from({ length: 1_000 }, (_, i) => url(`many/${i}`)));
    expect(sent()).toHaveLength(2_000);
    expect(calls()).toHaveLength(4);
  });
});

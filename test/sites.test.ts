import { afterAll, describe, expect, test } from "vitest";
import { MINUTE } from "../src/platform/clock.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { keyHost, page } from "./support/network/key-host.ts";
import { TestClock } from "./support/service/clock.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { type CallResult, SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";
import { bingWebmaster } from "./support/upstreams/bing-webmaster.ts";
import { google, newServiceAccount } from "./support/upstreams/google.ts";
import { startFakes } from "./support/upstreams/server.ts";
import { providerUrls } from "./support/upstreams/settings.ts";
import { World } from "./support/upstreams/world.ts";
import { yandexWebmaster } from "./support/upstreams/yandex-webmaster.ts";

const TEN_MINUTES = 10 * MINUTE;

const website = await keyHost();
const open = { fetchAllowCidrs: ["127.0.0.0/8"], fetchAllowPorts: [website.port] };
const services: TestService[] = [];
const clients: SurfaceClient[] = [];
afterAll(async () => {
  for (const client of clients) await client.close();
  for (const service of services) await service.close();
  await website.close();
});

async function start(config: Parameters<typeof testService>[0]): Promise<TestService> {
  const service = await testService(config);
  services.push(service);
  return service;
}

const ready = start({ config: open });

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  const clientReady = ready.then((service) => {
    const client = connect(service);
    clients.push(client);
    return { service, client };
  });

  /** A new account, and its calls. */
  async function caller() {
    const { service, client } = await clientReady;
    const account = await service.account();
    return {
      ...account,
      service,
      add: (host: string, more = {}) => client.call("add_site", { host, ...more }, account),
      list: (page = {}) => client.call("list_sites", page, account),
    };
  }

  test("201: pending, verified, failed without its file, verified again", async () => {
    const { service, add, list } = await caller();
    const first = await add(`HTTP://${website.host}/about`);
    const { indexnow_key: key, id } = first.body;
    const keyUrl = `https://${website.host}/${key}.txt`;
    expect(first.ok).toBe(true);
    const { push_secret: secret, ...site } = first.body;
    expect(secret).toBeNull();
    expect(site).toEqual({
      object: "site",
      id: expect.stringMatching(/^site_/),
      host: website.host,
      status: "pending",
      verified_by: null,
      indexnow_key: expect.stringMatching(/^[0-9a-f]{32}$/),
      key_url: keyUrl,
      connections: [],
      push_url: null,
      next_step: `Place a text file with the indexnow_key and nothing else at ${keyUrl}, then call add_site with this host again.`,
      created_at: new Date(service.clock.now()).toISOString(),
      verified_at: null,
    });
    expect((await list()).body).toEqual({ sites: [site], has_more: false, connections: [] });

    const states: unknown[] = [];
    const state = ({ ok, body }: CallResult) => {
      expect([ok, body.id, body.indexnow_key]).toEqual([true, id, key]);
      return [body.status, body.verified_at, body.next_step.split(/[.:]/)[0]];
    };
    const steps = [
      page("nothing <b>of ours</b>"),
      page(`${key}\n`),
      page("down", 503),
      page("", 404),
      page("down", 503),
      page(key),
    ];
    for (const answer of steps) {
      service.clock.pass(MINUTE);
      website.answer = answer;
      const outcome = await add(website.host);
      states.push(state(outcome));
      expect(outcome.body.next_step).not.toContain("of ours");
      expect((await list()).body.sites[0]).toMatchObject({ id, status: outcome.body.status, connections: [] });
    }
    const at = (minutes: number) => new Date(service.clock.now() + (minutes - 6) * MINUTE).toISOString();
    expect(states).toEqual([
      ["failed", null, "The file has other content than the key"],
      ["verified", at(2), "Verified"],
      ["verified", at(2), "The host does not answer now; it stays verified"],
      ["failed", null, "File not found"],
      ["failed", null, "The host does not answer"],
      ["verified", at(6), "Verified"],
    ]);
    expect((await add(website.host)).body.key_url).toBe(`http://${website.host}/${key}.txt`);
  });

  test("201 rotate_key: a new file to place, while the site stays verified by the old one", async () => {
    const { add } = await caller();
    const { body: first } = await add(website.host);
    website.answer = page(first.indexnow_key);
    await add(website.host);
    const { body: rotated } = await add(website.host, { rotate_key: true });
    expect(rotated).toMatchObject({ id: first.id, status: "verified" });
    expect(rotated.indexnow_key).not.toBe(first.indexnow_key);
    expect(rotated.key_url).toContain(`/${rotated.indexnow_key}.txt`);
    expect(rotated.next_step).toContain(`at ${rotated.key_url}, then call add_site`);
    website.answer = (req, res) => page(req.url!.slice(1, 33))(req, res);
    const { body: seen } = await add(website.host);
    expect(seen).toMatchObject({ status: "verified", indexnow_key: rotated.indexnow_key, key_url: rotated.key_url });
    expect(seen.next_step).toContain("Leave the key file where it is.");
  });

  test("two accounts: each has its own key for the host, and never sees the other's site", async () => {
    const [one, two] = [await caller(), await caller()];
    const { body: mine } = await one.add(website.host);
    expect((await two.list()).body).toEqual({ sites: [], has_more: false, connections: [] });
    const { body: theirs } = await two.add(website.host);
    expect(theirs.indexnow_key).not.toBe(mine.indexnow_key);
    website.answer = page(mine.indexnow_key);
    expect((await one.add(website.host)).body.status).toBe("verified");
    expect((await two.add(website.host)).body.status).toBe("failed");
    website.answer = (req, res) => page(req.url!.slice(1, 33))(req, res);
    expect((await two.add(website.host)).body.status).toBe("verified");
    expect((await one.list()).body.sites).toMatchObject([{ id: mine.id, status: "verified" }]);
  });

  test("200: sites come newest first, page by page", async () => {
    const { service, add, list } = await caller();
    for (const host of ["a.example", "b.example", "c.example"]) {
      await add(host);
      service.clock.pass(1);
    }
    const hosts = async (wanted: object) => {
      const { body } = await list(wanted);
      return [body.sites.map(({ host }: { host: string }) => host), body.has_more];
    };
    expect(await hosts({ limit: 2 })).toEqual([["c.example", "b.example"], true]);
    expect(await hosts({ limit: 2, offset: 2 })).toEqual([["a.example"], false]);
  });

  test("429 rate_limited: the 21st call in ten minutes, which fetches nothing", async () => {
    const { service, add } = await caller();
    const now = service.clock.now();
    service.clock.pass(TEN_MINUTES - (now % TEN_MINUTES));
    website.answer = page("", 404);
    for (let i = 0; i < 20; i++) expect((await add(website.host)).ok).toBe(true);
    website.asked.length = 0;
    const { code, headers } = await add(website.host);
    expect([code, headers.get("retry-after")]).toEqual(["rate_limited", "600"]);
    expect(website.asked).toEqual([]);
    service.clock.pass(TEN_MINUTES);
    expect((await add(website.host)).ok).toBe(true);
  });

  test.each(["*.example.com", "example.com/blog", "user@example.com", "", "exam ple.com", "x".repeat(2_049)])(
    "400 invalid_request: %j is no host; no site is made",
    async (host) => {
      const { add, list } = await caller();
      const { code, body } = await add(host);
      expect([code, body.issues[0].path]).toEqual(["invalid_request", "host"]);
      expect((await list()).body.sites).toEqual([]);
    },
  );
});

test("201: two simultaneous first calls create one site, and both return its key", async () => {
  const service = await ready;
  const { key } = await service.account();
  const calls = Array.from({ length: 8 }, () =>
    service.request("POST", "/sites", { key, body: { host: "new.invalid" } }),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(new Set(answers.map(({ json }) => `${json.id} ${json.indexnow_key}`)).size).toBe(1);
  expect((await service.request("GET", "/sites", { key })).json.sites).toHaveLength(1);
});

test("201: two simultaneous checks both answer, and leave the site verified", async () => {
  const service = await ready;
  const { key } = await service.account();
  const add = () => service.request("POST", "/sites", { key, body: { host: website.host } });
  website.answer = page((await add()).json.indexnow_key);
  const answers = await Promise.all([add(), add(), add()]);
  expect(answers.map(({ json }) => json.status)).toEqual(Array(3).fill("verified"));
});

test("400: a host that is not public is refused at the first call, and nothing is fetched", async () => {
  const service = await start({ config: { fetchAllowCidrs: [], fetchAllowPorts: [website.port] } });
  const { key } = await service.account();
  website.asked.length = 0;
  for (const host of ["localhost", "169.254.169.254", "[::1]", website.host, `localhost:${website.port}`]) {
    const { status, json } = await service.request("POST", "/sites", { key, body: { host } });
    expect([status, json.error?.issues]).toEqual([
      400,
      [{ path: "host", message: "not a host of the public web, where search engines could reach it" }],
    ]);
  }
  expect((await service.request("GET", "/sites", { key })).json.sites).toEqual([]);
  expect(website.asked).toEqual([]);
  expect(service.errors).toEqual([]);
});

describe("a live service", async () => {
  const world = new World(new TestClock());
  const fakes = await startFakes(world, [bingWebmaster, yandexWebmaster, google]);
  afterAll(() => fakes.close());
  world.keys.set("bing_webmaster", "bing-key").set("yandex_webmaster", "yandex-token");
  const { providers } = readConfig({
    BING_WEBMASTER_KEY: "bing-key",
    YANDEX_WEBMASTER_TOKEN: "yandex-token",
    GOOGLE_SERVICE_ACCOUNT: newServiceAccount(world, `${fakes.urls.google}/token`),
    PROVIDER_URLS: providerUrls(fakes),
  });
  const live = start({ config: { ...open, mode: "live", engines: ["live"], providers } });

  test("201: the operator's accounts are asked about verified hosts only, and a failed site loses its connections", async () => {
    const { account, request } = await live;
    const { key } = await account();
    const add = async (answer: Parameters<typeof page>) => {
      website.answer = page(...answer);
      const callsBefore = fakes.calls.length;
      const { json } = await request("POST", "/sites", { key, body: { host: website.host } });
      const { sites } = (await request("GET", "/sites", { key })).json;
      expect(sites).toMatchObject([{ status: json.status, connections: json.connections }]);
      return { ...json, asked: fakes.calls.length > callsBefore };
    };
    world.bingSites.add(`https://${website.host}/`);
    world.yandexHosts.set(`https:${website.host}`, true);
    world.properties.set(`https://${website.host}/`, "siteOwner");

    const pending = await add([""]);
    const proof: Parameters<typeof page> = [pending.indexnow_key];
    expect(pending).toMatchObject({ status: "pending", connections: [], asked: false });
    expect(await add(["", 404])).toMatchObject({ status: "failed", connections: [], asked: false });

    const all = ["indexnow", "search_console", "bing_webmaster", "yandex_webmaster"];
    const verified = await add(proof);
    expect(verified).toMatchObject({ status: "verified", connections: all, asked: true });
    expect(verified.next_step).toContain(all.join(", "));

    world.bingSites.clear();
    world.answer("yandex_webmaster", { status: 503 });
    const fewer = ["indexnow", "search_console", "yandex_webmaster"];
    expect(await add(proof)).toMatchObject({ status: "verified", connections: fewer, asked: true });
    expect(await add(["down", 503])).toMatchObject({ status: "verified", connections: fewer, asked: false });
    expect(await add(["", 404])).toMatchObject({ status: "failed", connections: [], asked: false });
    // Nothing is left of what was known before the site failed.
    expect(await add(proof)).toMatchObject({ status: "verified", connections: ["indexnow", "search_console"] });
  });

  test("201: a property with a path connects the pages below it, and next_step says so", async () => {
    const { account, request } = await live;
    const { key } = await account();
    const add = async () => (await request("POST", "/sites", { key, body: { host: website.host } })).json;
    world.properties.clear();
    world.properties.set(`https://${website.host}/blog/`, "siteOwner");
    website.answer = page((await add()).indexnow_key);
    const { connections, next_step } = await add();
    expect(connections).toEqual(["indexnow", "search_console"]);
    expect(next_step).toContain(`but by search_console only those below https://${website.host}/blog/.`);
  });
});

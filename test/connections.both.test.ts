import { afterEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { createKey } from "../src/domain/credentials/keys.ts";
import { tendConnections } from "../src/indexing/connections/read-properties.ts";
import { DAY, HOUR, MINUTE } from "../src/platform/clock.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { openSessionOf } from "./support/database/people.ts";
import { type LiveService, liveService } from "./support/service/live-service.ts";
import { SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";
import { endAll } from "./support/upstreams/google-consent.ts";
import { askGoogle, CONNECTIONS, connectGoogle, googlePerson } from "./support/website/connections.ts";
import { signedIn, type User } from "./support/website/user.ts";

const CALLBACK = `${CONNECTIONS}/google`;
const ANN = "ann@gmail.example";
const BOB = "bob@gmail.example";

let live: LiveService;
let client: SurfaceClient;

async function open(engines = "speedyindex,serper", env: NodeJS.ProcessEnv = {}): Promise<void> {
  live = await liveService(engines, env);
  client = SURFACES.REST!(live.service);
}

afterEach(async () => {
  expect((await audit(live.service.db)).problems).toEqual([]);
  expect(live.service.errors).toEqual([]);
  await client.close();
  await live.close();
});

/** Somebody at a browser, with an API key of the account. */
async function owner(): Promise<{ user: User; accountId: string; email: string; key: string }> {
  const { db, clock } = live.service;
  const found = await signedIn(live.service);
  const { accountId } = found;
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "test", mode: "sandbox", now: clock.now() }));
  return { ...found, key };
}

/** Signs in again, after days in which the session has ended. */
async function signInAgain({ user, accountId }: { user: User; accountId: string }): Promise<void> {
  const { db, clock } = live.service;
  const session = { accountId, browser: "Firefox on Linux", ip: "127.0.0.1", now: clock.now() };
  user.cookies.set("sid", await db.tx((tx) => openSessionOf(tx, session)));
}

const root = () => `${live.fakes.origin}/`;
const now = () => live.service.clock.service();
const call = async (key: string, name: string, input: Record<string, unknown>) =>
  (await client.call(name, input, { key })).body;
const submit = async (key: string, urls: readonly string[], more: object = {}) =>
  (await call(key, "submit_urls", { urls, ...more })).project as { id: string };
const linksOf = async (key: string, { id }: { id: string }) =>
  (await call(key, "list_links", { project_id: id, limit: 100 })).links as {
    id: string;
    status: string;
    error_code: string | null;
    last_check: { provider: string } | null;
    engines: Record<string, { status: string; provider: string | null; detail: string | null }>;
  }[];
const connectionsOf = async (key: string) => (await call(key, "list_sites", {})).connections;
const failing = async (key: string) =>
  (await call(key, "list_events", { type: "connection.failing" })).events as { data: object }[];

/** What the background does every minute. */
async function tend(): Promise<void> {
  const { service } = live;
  const http = createHttpClient(service.config);
  await tendConnections({ db: service.db, clock: service.clock, config: service.config, http });
  await http.close();
}

describe("Search Console", () => {
  test("law: two clicks from “Connect” to the properties, each with what it opens, and no token in any page, list or row", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, {
      "sc-domain:example.com": "siteOwner",
      "https://www.example.net/blog/": "siteFullUser",
      "https://looked.example/": "siteRestrictedUser",
    });
    // One click on our page, one at Google; what follows are redirects.
    const page = await connectGoogle(user, ANN);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Search Console: ${ANN} 3 properties, read`);
    expect(page.text).toContain(
      "sc-domain:example.com: asks Google which pages it has, 2,000 a day; shows that the pages are yours",
    );
    expect(page.text).toContain("https://www.example.net/blog/: asks Google which pages it has, 2,000 a day");
    expect(page.text).toContain("https://looked.example/: nothing");
    const listed = await connectionsOf(key);
    expect(listed).toEqual([
      {
        object: "connection",
        id: expect.stringMatching(/^con_/),
        kind: "search_console",
        name: ANN,
        status: "active",
        failure: null,
        properties: ["sc-domain:example.com", "https://www.example.net/blog/", "https://looked.example/"],
      },
    ]);
    const { connections } = live.service.db.t;
    const rows = JSON.stringify(await live.service.db.q.select().from(connections));
    for (const token of [...live.world.googleRefreshTokens.keys(), ...live.world.googleTokens.keys()])
      for (const text of [page.html, rows, JSON.stringify(listed)]) expect(text).not.toContain(token);
  });

  test("law: a project on a connected property costs no paid search", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const project = await submit(key, [live.page("ok-1", "hour"), live.page("ok-2", "never")]);
    await live.until(now() + 16 * DAY);
    const links = await linksOf(key, project);
    expect(links.map(({ status, error_code }) => error_code ?? status)).toEqual(["indexed", "crawled_not_indexed"]);
    expect(links.map(({ last_check }) => last_check?.provider)).toEqual(["url_inspection", "url_inspection"]);
    expect(live.fakes.callsTo("serper")).toEqual([]);
    expect(live.fakes.callsTo("url_inspection").length).toBeGreaterThan(0);
  });

  test("the account's own connection is asked before the service account", async () => {
    await open("speedyindex,url_inspection,serper");
    live.world.properties.set(root(), "siteOwner");
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    await submit(key, [live.page("ok-1", "hour")]);
    await live.until(now() + 5 * DAY);
    const callers = live.fakes
      .callsTo("url_inspection")
      .map(({ headers }) => live.world.googleTokens.get(headers.authorization!.slice("Bearer ".length))?.person);
    expect(new Set(callers)).toEqual(new Set([ANN]));
  });

  test("nobody but the account uses its connection", async () => {
    await open();
    const person = await owner();
    const { user } = person;
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const other = await owner();
    await submit(other.key, [live.page("ok-1", "hour")]);
    await live.until(now() + 5 * DAY);
    expect(live.fakes.callsTo("url_inspection")).toEqual([]);
    expect(await connectionsOf(other.key)).toEqual([]);
    for (const one of [person, other]) await signInAgain(one);
    const mine = (await user.get(CONNECTIONS)).forms.find(({ action }) => action.endsWith("/end"))!;
    const page = await other.user.get(CONNECTIONS);
    const token = page.forms[0]!.fields.find(([name]) => name === "token")!;
    expect((await other.user.post(mine.action, [token])).status).toBe(404);
    expect((await user.get(CONNECTIONS)).text).toContain(ANN);
  });

  test("a prefix with a path opens the pages below it, and does not verify the host", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [`${root()}blog/`]: "siteOwner" });
    await connectGoogle(user, ANN);
    expect(await call(key, "add_site", { host: live.host })).toMatchObject({ status: "pending", verified_by: null });
    await submit(key, [live.page("blog/ok-1", "hour"), live.page("other-1", "hour")]);
    await live.until(now() + 5 * DAY);
    const inspected = live.fakes.callsTo("url_inspection").map(({ body }) => JSON.parse(body).inspectionUrl);
    expect(new Set(inspected)).toEqual(new Set([live.page("blog/ok-1", "hour")]));
    expect(live.fakes.callsTo("serper").some(({ body }) => body.includes("other-1"))).toBe(true);
  });

  test("a property verifies its host without a key file, and no longer once it is lost", async () => {
    await open("speedyindex,serper,indexnow_bing");
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const site = () => call(key, "add_site", { host: live.host });
    expect(await site()).toMatchObject({ status: "verified", verified_by: "property", connections: [] });
    // IndexNow reads the key file itself.
    const project = await submit(key, [live.page("ok-1", "hour")]);
    await live.until(now() + HOUR);
    expect((await linksOf(key, project))[0]!.engines.bing).toMatchObject({
      status: "skipped",
      detail: "key_not_accepted",
    });
    live.world.googlePeople.get(ANN)!.properties.clear();
    live.service.clock.pass(DAY + MINUTE);
    await tend();
    expect(await site()).toMatchObject({ status: "failed", verified_by: null });
    expect(await connectionsOf(key)).toMatchObject([{ status: "active", properties: [] }]);
  });

  test("a full user inspects, and does not verify the host", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteFullUser" });
    await connectGoogle(user, ANN);
    expect(await call(key, "add_site", { host: live.host })).toMatchObject({ status: "pending" });
    await submit(key, [live.page("ok-1", "hour")]);
    await live.until(now() + 5 * DAY);
    expect(live.fakes.callsTo("url_inspection").length).toBeGreaterThan(0);
  });

  test("sitemaps are handed over only where the person has ticked it", async () => {
    await open();
    live.files.set(
      "/map.xml",
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${live.page("ok-1", "hour")}</loc></url></urlset>`,
    );
    const [reader, sender] = [await owner(), await owner()];
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(reader.user, ANN);
    await connectGoogle(sender.user, ANN, { sitemaps: true });
    const sitemap_url = `${root()}map.xml`;
    for (const { key } of [reader, sender]) await call(key, "submit_sitemap", { sitemap_url });
    await live.until(now() + HOUR);
    expect(live.world.submissions.map(({ provider }) => provider).sort()).toEqual(["search_console", "speedyindex"]);
  });
});

describe("bad input of a consent", () => {
  const nothing = async (key: string) => expect(await connectionsOf(key)).toEqual([]);

  test("refused at Google: nothing is connected, and it is said", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, {});
    const link = await askGoogle(user);
    const page = await user.follow(await user.get(link("Cancel")));
    expect(page.text).toContain("You did not allow it at Google.");
    await nothing(key);
  });

  test("half granted: nothing is connected, and what was granted is given back", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const link = await askGoogle(user);
    const page = await user.follow(await user.get(link(`Allow as ${ANN} without Search Console`)));
    expect(page.text).toContain("left out the permission for Search Console");
    await nothing(key);
    expect(live.world.googleRevoked).toEqual([ANN]);
  });

  test("half granted by a person who is connected: the connection goes on", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const link = await askGoogle(user);
    await user.get(link(`Allow as ${ANN} without Search Console`));
    expect(live.world.googleRevoked).toEqual([]);
    expect(await connectionsOf(key)).toHaveLength(1);
  });

  test("a code that comes twice is shown to Google once, and the connection goes on", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const link = (await askGoogle(user))(`Allow as ${ANN}`);
    await user.get(link);
    const again = await user.follow(await user.get(link));
    expect(again.text).toContain("This answer of Google was used already");
    expect(live.fakes.callsTo("google_oauth").filter(({ path }) => path === "/token")).toHaveLength(1);
    expect(live.world.googleRefreshTokens.size).toBe(1);
    expect(await connectionsOf(key)).toMatchObject([{ status: "active" }]);
  });

  test("two tabs: each has its own answer, and there is one connection for each Google account", async () => {
    await open();
    const { user, key } = await owner();
    for (const person of [ANN, BOB]) googlePerson(live, person, { [root()]: "siteOwner" });
    const [first, second, third] = [await askGoogle(user), await askGoogle(user), await askGoogle(user)];
    await user.get(second(`Allow as ${ANN}`));
    await user.get(first(`Allow as ${ANN}`));
    await user.get(third(`Allow as ${BOB}`));
    const names = (await connectionsOf(key)).map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual([ANN, BOB]);
  });

  test("an answer in another account's browser connects nothing to either account, and neither does one without a session", async () => {
    await open();
    const [victim, other] = [await owner(), await owner()];
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const link = (await askGoogle(other.user))(`Allow as ${ANN}`);
    const page = await victim.user.follow(await victim.user.get(link));
    expect(page.text).toContain("belongs to another browser or account");
    victim.user.cookies.clear();
    const signedOut = await victim.user.get(link);
    expect(signedOut.location).toBe(`${CONNECTIONS}?problem=stale`);
    for (const { key } of [victim, other]) await nothing(key);
    expect(live.fakes.callsTo("google_oauth")).toEqual([]);
  });

  test.each([
    ["of another client", { aud: "another.apps.googleusercontent.com" }],
    ["of another issuer", { iss: "https://accounts.example.com" }],
    ["for another consent", { nonce: "another" }],
    ["that have expired", { exp: 1_000 }],
    ["of nobody", { sub: "" }],
  ])("tokens %s are given back", async (_, claims) => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" }, claims);
    const page = await connectGoogle(user, ANN);
    expect(page.text).toContain("The answer was not meant for this service.");
    await nothing(key);
    expect(live.world.googleRevoked).toEqual([ANN]);
  });

  test.each([
    ["without anything", ""],
    ["with a state that we never gave", "?state=s1.00000000.AAAA&code=x"],
    ["with a long text", `?state=${"x".repeat(5_000)}&code=x`],
  ])("an answer %s changes nothing", async (_, query) => {
    await open();
    const { user, key } = await owner();
    expect((await user.get(`${CALLBACK}${query}`)).location).toBe(`${CONNECTIONS}?problem=stale`);
    await nothing(key);
  });

  test("an answer of another issuer is not shown to Google (RFC 9207)", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const link = new URL((await askGoogle(user))(`Allow as ${ANN}`));
    link.searchParams.set("iss", "https://evil.example");
    expect((await user.get(link.href)).location).toBe(`${CONNECTIONS}?problem=not_ours`);
    await nothing(key);
    expect(live.fakes.callsTo("google_oauth")).toEqual([]);
  });

  test("Google is down at the exchange: nothing is connected; at the list: it is connected and read later", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    live.world.fail("google_oauth", { answer: "drop", times: 1 });
    expect((await connectGoogle(user, ANN)).text).toContain("The other side did not answer");
    await nothing(key);
    live.world.fail("search_console", { answer: { status: 503 }, times: 1 });
    expect((await connectGoogle(user, ANN)).text).toContain("could not be read yet");
    live.service.clock.pass(HOUR + MINUTE);
    await tend();
    expect(await connectionsOf(key)).toMatchObject([{ properties: [root()] }]);
  });
});

describe("a connection that changes", () => {
  test("revoked at Google in mid-project: links fall back, nothing is decided by it, it is told once, and connecting again mends it", async () => {
    await open();
    const person = await owner();
    const { user, key } = person;
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const project = await submit(key, [live.page("ok-1", "hour"), live.page("ok-2", "day_14")]);
    const start = now();
    await live.until(start + 5 * DAY);
    expect(live.fakes.callsTo("serper")).toEqual([]);
    endAll(live.world, ANN);
    await live.until(start + 16 * DAY);
    const links = await linksOf(key, project);
    expect(links.map(({ status }) => status)).toEqual(["indexed", "indexed"]);
    expect(links.map(({ last_check }) => last_check?.provider)).toEqual(["serper", "serper"]);
    expect(await connectionsOf(key)).toMatchObject([{ status: "failing", failure: "access_revoked" }]);
    expect(await failing(key)).toMatchObject([
      { data: { kind: "search_console", name: ANN, reason: "access_revoked" } },
    ]);
    live.service.clock.pass(2 * DAY);
    await tend();
    expect(await failing(key)).toHaveLength(1);
    await signInAgain(person);
    expect((await user.get(CONNECTIONS)).text).toContain("Gives no access since");

    await connectGoogle(user, ANN);
    expect(await connectionsOf(key)).toMatchObject([{ status: "active", failure: null }]);
    const searches = live.fakes.callsTo("serper").length;
    await submit(key, [live.page("ok-3", "hour")]);
    await live.until(now() + 5 * DAY);
    expect(live.fakes.callsTo("serper")).toHaveLength(searches);
  });

  test("a Google account that loses the property in mid-project: links fall back at once, and the next look knows it", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const project = await submit(key, [live.page("ok-1", "day_14")]);
    const start = now();
    await live.until(start + 5 * DAY);
    live.world.googlePeople.get(ANN)!.properties.clear();
    await live.until(start + 16 * DAY);
    expect(await linksOf(key, project)).toMatchObject([{ status: "indexed", last_check: { provider: "serper" } }]);
    await tend();
    expect(await connectionsOf(key)).toMatchObject([{ status: "active", properties: [] }]);
    expect(await failing(key)).toEqual([]);
  });

  test("two connections to a property: the other one is used when one fails, within the one quota of the property", async () => {
    await open();
    const { user, key } = await owner();
    for (const person of [ANN, BOB]) {
      googlePerson(live, person, { [root()]: "siteOwner" });
      live.service.clock.pass(MINUTE);
      await connectGoogle(user, person);
    }
    // The one that has answered last is asked first.
    endAll(live.world, BOB);
    await submit(key, [live.page("ok-1", "hour")]);
    await live.until(now() + 5 * DAY);
    expect(live.fakes.callsTo("serper")).toEqual([]);
    expect(await connectionsOf(key)).toMatchObject([
      { name: ANN, status: "active" },
      { name: BOB, status: "failing" },
    ]);
  });

  test("one property's quota is spent: no other connection and no service account goes on in it, and other properties do", async () => {
    await open("speedyindex,url_inspection,serper");
    live.world.properties.set(root(), "siteOwner");
    const { user, key } = await owner();
    for (const person of [ANN, BOB]) {
      googlePerson(live, person, { [root()]: "siteOwner" });
      await connectGoogle(user, person);
    }
    for (let times = 0; times < 2; times++) await call(key, "add_site", { host: live.host });
    live.world.quotas.set(`url_inspection ${root()}`, 0);
    await submit(key, [live.page("ok-1", "hour"), live.page("ok-2", "hour")]);
    await live.until(now() + 4 * DAY + HOUR);
    expect(live.fakes.callsTo("url_inspection").length).toBeLessThanOrEqual(2);
    expect(live.fakes.callsTo("serper").length).toBeGreaterThan(0);
  });

  test("disconnected: revoked at Google, used no more, and no row is left", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const page = await connectGoogle(user, ANN);
    const { action } = page.forms.find((form) => form.action.endsWith("/end"))!;
    await user.submit(page, {}, action);
    expect(live.world.googleRevoked).toEqual([ANN]);
    expect(await connectionsOf(key)).toEqual([]);
    expect(await live.service.db.q.select().from(live.service.db.t.connections)).toEqual([]);
  });

  test("disconnected while Google is down: used no more at once, and revoked once it answers", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const page = await connectGoogle(user, ANN);
    live.world.fail("google_oauth", { answer: "drop" });
    await user.submit(page, {}, page.forms.find((form) => form.action.endsWith("/end"))!.action);
    expect(await connectionsOf(key)).toEqual([]);
    live.world.heal();
    await tend();
    expect(live.world.googleRevoked).toEqual([ANN]);
  });

  test("a Google account that two accounts have connected is revoked when the second one ends", async () => {
    await open();
    const [one, other] = [await owner(), await owner()];
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    const end = async (user: User) => {
      const page = await user.get(CONNECTIONS);
      await user.submit(page, {}, page.forms.find((form) => form.action.endsWith("/end"))!.action);
    };
    for (const { user } of [one, other]) await connectGoogle(user, ANN);
    await end(one.user);
    expect(live.world.googleRevoked).toEqual([]);
    await end(other.user);
    expect(live.world.googleRevoked).toEqual([ANN]);
  });

  test("the deletion of the account is requested: revoked at once, and it stays so when the account is kept", async () => {
    await open();
    const { user, email } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    const path = "/dashboard/security/delete";
    await user.submit(await user.get(path), { email }, path);
    expect(live.world.googleRevoked).toEqual([ANN]);
    expect(await live.service.db.q.select().from(live.service.db.t.connections)).toEqual([]);
  });

  test("three days without an answer: it is told; an answer mends it", async () => {
    await open();
    const { user, key } = await owner();
    googlePerson(live, ANN, { [root()]: "siteOwner" });
    await connectGoogle(user, ANN);
    live.world.fail("search_console", { answer: { status: 503 } });
    for (let day = 0; day < 4; day++) {
      live.service.clock.pass(DAY + MINUTE);
      await tend();
    }
    expect(await failing(key)).toMatchObject([{ data: { reason: "no_answer" } }]);
    live.world.heal();
    live.service.clock.pass(DAY + MINUTE);
    await tend();
    expect(await connectionsOf(key)).toMatchObject([{ status: "active" }]);
  });
});

describe("Bing Webmaster Tools", () => {
  const KEY = "0123456789abcdef0123456789abcdef";
  const save = async (user: User, key: string) =>
    user.submit(await user.get(CONNECTIONS), { key }, `${CONNECTIONS}/bing`);

  test("400: a key that Bing does not take is not saved", async () => {
    await open();
    const { user, key } = await owner();
    const page = await save(user, KEY);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining("Bing does not take this key.")]);
    expect((await save(user, "too short")).status).toBe(400);
    expect(await connectionsOf(key)).toEqual([]);
  });

  test("a key is tried, sealed, and used for the account's pages alone", async () => {
    await open();
    live.world.bingAccounts.set(KEY, new Set([root()]));
    const { user, key } = await owner();
    const page = await user.follow(await save(user, KEY));
    expect(page.text).toContain(`Bing Webmaster Tools: key that ends in cdef 1 property, read`);
    const rows = JSON.stringify(await live.service.db.q.select().from(live.service.db.t.connections));
    for (const text of [page.html, rows, JSON.stringify(await connectionsOf(key))]) expect(text).not.toContain(KEY);
    const other = await owner();
    const [mine, theirs] = [
      await submit(key, [live.page("a", "hour")]),
      await submit(other.key, [live.page("b", "hour")]),
    ];
    await live.until(now() + 5 * DAY);
    expect((await linksOf(key, mine))[0]!.engines.bing).toMatchObject({
      status: "accepted",
      provider: "bing_webmaster",
    });
    expect((await linksOf(other.key, theirs))[0]!.engines.bing).toMatchObject({ status: "skipped" });
    const asked = live.fakes.callsTo("bing_webmaster").map(({ query }) => query.get("apikey"));
    expect(new Set(asked)).toEqual(new Set([KEY]));
    expect(live.fakes.callsTo("bing_webmaster").some(({ path }) => path.endsWith("GetUrlInfo"))).toBe(true);
  });

  test("a key that was deleted at Bing: it is told", async () => {
    await open();
    live.world.bingAccounts.set(KEY, new Set([root()]));
    const { user, key } = await owner();
    await save(user, KEY);
    live.world.bingAccounts.clear();
    live.service.clock.pass(DAY + MINUTE);
    await tend();
    expect(await failing(key)).toMatchObject([{ data: { kind: "bing_webmaster", reason: "access_revoked" } }]);
  });
});

test("a person who has not proved lately who they are is asked first", async () => {
  await open();
  const { user } = await owner();
  const page = await user.get(CONNECTIONS);
  live.service.clock.pass(2 * HOUR);
  for (const action of [CALLBACK, `${CONNECTIONS}/bing`])
    expect((await user.submit(page, {}, action)).location).toMatch(/^\/sign-in\?/);
});

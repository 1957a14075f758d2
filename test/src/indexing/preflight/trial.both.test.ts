import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { CheckOutcome, Verifier } from "../../../../src/indexing/engines/engine.ts";
import { Trial } from "../../../../src/indexing/preflight/trial.ts";
import { HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { startWeb } from "../../../support/website/web.ts";

const store = await testStore();
afterAll(() => store.close());
const { db, clock } = store;

const PAGES: Readonly<Record<string, string>> = {
  "/fine": "<title>Fine</title>",
  "/noindex": '<meta name="robots" content="noindex">',
  "/robots.txt": "User-agent: *\nDisallow: /closed\nUser-agent: PerplexityBot\nDisallow: /",
};

const web = await startWeb(
  (req, res) => {
    const path = req.url!;
    const host = req.headers.host!.replace("site", "other");
    if (path === "/away") res.writeHead(302, { Location: `http://${host}/fine` }).end();
    else if (path === "/www") res.writeHead(302, { Location: `http://www.${req.headers.host}/www/` }).end();
    else if (PAGES[path])
      res.writeHead(200, { "Content-Type": path === "/robots.txt" ? "text/plain" : "text/html" }).end(PAGES[path]);
    else if (path === "/www/") res.writeHead(200, { "Content-Type": "text/html" }).end("<title>Here</title>");
    else res.writeHead(404).end("<b>secret words of the server</b>");
  },
  ["www.site.example", "third.example"],
);

const trialWith = (lookups: ConstructorParameters<typeof Trial>[0]["lookups"] = null) =>
  new Trial({ db, clock, http: web.http, lookups });
const trial = trialWith();

/** Other strangers have other addresses, so that tests do not count for each other. */
let last = 0;
const stranger = () => `192.0.2.${++last}`;
beforeEach(() => clock.pass(MINUTE));

const asked = (path: string) => web.requests.filter((one) => one.path === path).length;

test("says of each page whether it is there, what keeps it out, and whom robots.txt keeps out", async () => {
  const urls = ["/fine", "/noindex", "/closed", "/nothing"].map((path) => web.url(path));
  const tried = await trial.of(urls, stranger());
  expect(tried.map(({ report }) => report!.refusal ?? report!.warnings)).toEqual([
    ["agents_kept_out"],
    "noindex",
    "robots_disallowed",
    ["http_404", "agents_kept_out"],
  ]);
  expect(tried[0]!.report!.access).toEqual({ PerplexityBot: "robots" });
  expect(JSON.stringify(tried)).not.toContain("secret words");
  expect(tried.every(({ google }) => google === null)).toBe(true);
});

test("a page that is missing is asked for once", async () => {
  const before = asked("/once");
  await trial.of([web.url("/once")], stranger());
  expect(asked("/once") - before).toBe(1);
});

test("of a longer list only the first ten are read", async () => {
  const urls = Array.from({ length: 200 }, (_, i) => web.url(`/long-${i}`));
  expect(await trial.of(urls, stranger())).toHaveLength(10);
  expect(web.requests.filter(({ path }) => path.startsWith("/long-"))).toHaveLength(10);
});

test("a redirect to another host is not followed, one to the same host with www. is", async () => {
  const before = web.requests.filter(({ host }) => host === "other.example").length;
  const tried = await trial.of([web.url("/away"), web.url("/www")], stranger());
  expect(tried[0]!.report).toMatchObject({ refusal: null, warnings: expect.arrayContaining(["redirects"]) });
  expect(web.requests.filter(({ host }) => host === "other.example")).toHaveLength(before);
  expect(tried[1]!.report!.warnings).not.toContain("redirects");
});

test("a host in a private network is not asked", async () => {
  const [tried] = await trial.of(["http://inside.example/", "http://127.0.0.1/x"], stranger());
  expect(tried!.report!.refusal).toBe("host_not_public");
});

describe("a host is asked once a minute, whoever wants it", () => {
  test("not for the next stranger, whatever the port and the page; again in the next minute", async () => {
    await trial.of([web.url("/fine")], stranger());
    const before = web.requests.length;
    const other = stranger();
    for (const url of [web.url("/noindex"), "http://site.example/fine", "https://site.example/"])
      expect((await trial.of([url], other))[0]!.report).toBeNull();
    expect(web.requests.length).toBe(before);
    // What was not read does not count for the stranger.
    for (let n = 0; n < 3; n++) {
      clock.pass(MINUTE);
      expect((await trial.of([web.url("/fine")], other))[0]!.report).not.toBeNull();
    }
  });

  test("its other pages of the same list are read together, and other hosts besides", async () => {
    await trial.of([web.url("/fine")], stranger());
    const tried = await trial.of(
      [web.url("/fine"), web.url("/fine", "third.example"), web.url("/noindex", "third.example")],
      stranger(),
    );
    expect(tried.map(({ report }) => report === null)).toEqual([true, false, false]);
  });
});

describe("rate_limited: three lists an hour", () => {
  const try3 = async (ips: readonly string[]) => {
    for (const ip of ips) {
      clock.pass(MINUTE);
      await trial.of([web.url("/fine")], ip);
    }
    clock.pass(MINUTE);
  };

  test.each([
    ["an address", ["203.0.113.9", "203.0.113.9", "203.0.113.9"], "203.0.113.9"],
    ["a /64 network of IPv6", ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:1::3"], "2001:db8::4"],
    ["an IPv4 address written as IPv6", ["::ffff:203.0.113.8", "203.0.113.8", "203.0.113.8"], "::ffff:203.0.113.8"],
  ])("%s", async (_, ips, next) => {
    clock.pass(HOUR - (clock.now() % HOUR));
    await try3(ips);
    const before = web.requests.length;
    await expect(trial.of([web.url("/fine")], next)).rejects.toMatchObject({ code: "rate_limited" });
    expect(web.requests.length).toBe(before);
    clock.pass(HOUR);
    await trial.of([web.url("/fine")], next);
  });

  test("four at once are three", async () => {
    clock.pass(HOUR - (clock.now() % HOUR));
    const ip = stranger();
    const hosts = ["site.example", "other.example", "third.example", "www.site.example"];
    const all = await Promise.allSettled(hosts.map((host) => trial.of([web.url("/fine", host)], ip)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });
});

describe("lookups in Google", () => {
  const found: CheckOutcome = { result: "indexed", available: true, provider: "test", method: "test" };
  const seen: string[] = [];
  const verifier: Verifier = {
    check: async ({ links }) => {
      seen.push(...links.map(({ url }) => url));
      return links.map(() => found);
    },
  };

  test("only as many a day as the operator allows, for everybody together", async () => {
    const looking = trialWith({ verifier, perDay: 3 });
    const two = [web.url("/fine"), web.url("/noindex")];
    expect((await looking.of(two, stranger())).map(({ google }) => google)).toEqual(["indexed", "indexed"]);
    clock.pass(MINUTE);
    expect((await looking.of(two, stranger())).map(({ google }) => google)).toEqual([null, null]);
    clock.pass(MINUTE);
    expect((await looking.of([web.url("/fine")], stranger()))[0]!.google).toBe("indexed");
    expect(seen).toHaveLength(3);
  });

  test("a page that is not read is not looked up either", async () => {
    const looking = trialWith({ verifier, perDay: 100 });
    await trial.of([web.url("/fine")], stranger());
    const before = seen.length;
    expect((await looking.of([web.url("/fine")], stranger()))[0]!.google).toBeNull();
    expect(seen.length).toBe(before);
  });
});

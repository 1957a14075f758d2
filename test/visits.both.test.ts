import { createHash, createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import { eq, like } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { cancelDeletion, createDeletion } from "../src/domain/deletion/requests.ts";
import { revokeAccess } from "../src/domain/users/revoke-access.ts";
import { purgeVisits } from "../src/indexing/visits/visits.ts";
import { DAY } from "../src/platform/clock.ts";
import { openSessionOf } from "./support/database/people.ts";
import { testService } from "./support/service/service.ts";
import { combined, GOOGLEBOT, logTime, OAI_SEARCHBOT, VERIFIED } from "./support/visits/log-lines.ts";
import { verifiedSite } from "./support/visits/verified-site.ts";
import { User } from "./support/website/user.ts";

/** `66.249.66.77` names itself as Googlebot's would, and the name leads back; `9.9.9.9` only names itself so. */
const names = {
  reverse: async (address: string) => {
    if (address === "203.0.113.7" || address === "9.9.9.9") return ["crawl-1.googlebot.com"];
    throw Object.assign(new Error("no name"), { code: "ENOTFOUND" });
  },
  forward: async () => ["203.0.113.7"],
};

const service = await testService({ httpOverrides: { names } });
afterAll(() => service.close());
const now = () => service.clock.now();

/** An account with a verified site and its links. */
async function siteOf(host: string, paths: readonly string[]) {
  const { id, key } = await service.account({ credits: 1_000 });
  const site = await verifiedSite(service, id, host);
  const urls = paths.map((path) => `https://${host}${path}`);
  const { project } = (await service.request("POST", "/projects", { key, body: { urls } })).json;
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    service.request("POST", `/sites/${host}/visits`, {
      key,
      body,
      headers: { "Content-Type": "text/plain", ...headers },
    });
  const visitsTo = async (position: number) => {
    const id = `lnk_${project.id.slice(4)}_${position}`;
    return (await service.request("GET", `/projects/${project.id}/links/${id}`, { key })).json.visits;
  };
  return { accountId: id, key, host, site, project, send, visitsTo };
}

test("200: for each link and crawler the first, the last, how often, the status and how it is known", async () => {
  const { send, visitsTo } = await siteOf("logs.example", ["/a", "/b"]);
  const lines = [
    combined({ at: now() - 2 * DAY, path: "/a", status: 301 }),
    combined({ at: now() - 3 * DAY, path: "/a", status: 503 }),
    combined({ at: now() - DAY, path: "/a" }),
    combined({ at: now() - DAY, path: "/a", address: "203.0.113.7" }),
    combined({ at: now() - DAY, path: "/a", address: "9.9.9.9" }),
    combined({ at: now() - DAY, path: "/a", address: "8.8.8.8" }),
    combined({ at: now() - DAY, path: "/b", agent: OAI_SEARCHBOT, address: VERIFIED.oai }),
    combined({ at: now() - DAY, path: "/b", agent: "Mozilla/5.0 (Windows NT 10.0)" }),
    combined({ at: now() - DAY, path: "/not-a-link" }),
    combined({ at: now() - DAY, path: "/a", method: "POST" }),
    `www.logs.example ${combined({ at: now() - DAY, path: "/a" })}`,
    combined({ at: now() + 30 * DAY, path: "/a" }),
    combined({ at: now() - 401 * DAY, path: "/a" }),
    "half a li",
  ];
  const { status, json } = await send(lines.join("\n"));
  expect([status, json]).toEqual([
    200,
    {
      lines: 14,
      matched: 7,
      verified: 5,
      unverified: 2,
      other_hosts: 1,
      unreadable: 3,
      replayed: false,
      agents: [
        { agent: "Googlebot", count: 6, verified: 4 },
        { agent: "OAI-SearchBot", count: 1, verified: 1 },
      ],
    },
  ]);
  const google = { agent: "Googlebot", engine: "google", purpose: "search", status: 200 };
  const day = (days: number) => new Date(now() - days * DAY).toISOString();
  const once = { first_at: day(1), last_at: day(1), count: 1 };
  expect(await visitsTo(0)).toEqual([
    { ...google, first_at: day(3), last_at: day(1), count: 3, verified: "range" },
    { ...google, ...once, verified: "dns" },
    { ...google, ...once, count: 2, verified: "no" },
  ]);
  expect(await visitsTo(1)).toEqual([
    { agent: "OAI-SearchBot", engine: null, purpose: "search", status: 200, ...once, verified: "range" },
  ]);
});

test("verified visits of an engine's crawler are crawls, in get_link and in lists, and any crawler's visits are shown", async () => {
  const { key, project, send } = await siteOf("crawled.example", ["/a", "/b"]);
  const [early, late] = [now() - 3 * DAY, now() - DAY];
  const agents = ["GPTBot", "ChatGPT-User", "ClaudeBot", "Claude-User", "CCBot", "Applebot", "PerplexityBot"];
  await send(
    [
      combined({ at: early, path: "/a", status: 500 }),
      combined({ at: late, path: "/a" }),
      combined({ at: now(), path: "/a", address: "8.8.8.8" }),
      combined({ at: now(), path: "/a", agent: "Mozilla/5.0 (compatible; Google-InspectionTool/1.0)" }),
      ...agents.map((agent) => combined({ at: late, path: "/a", agent: `${agent}/1.0` })),
    ].join("\n"),
  );
  const path = `/projects/${project.id}/links`;
  const { links } = (await service.request("GET", path, { key })).json;
  const second = (at: number) => new Date(Math.floor(at / 1000) * 1000).toISOString();
  const times = links.map(({ engines }: { engines: object }) => engines);
  expect(times).toMatchObject([
    { google: { crawled_at: second(late) }, bing: { crawled_at: null } },
    { google: { crawled_at: null } },
  ]);
  const one = (await service.request("GET", `${path}/${links[0].id}`, { key })).json;
  const crawl = { engine: "google", source: "visits", as: "Googlebot" };
  expect(one.crawls).toEqual([
    { ...crawl, at: second(late), status: "200" },
    { ...crawl, at: second(early), status: null },
  ]);
  expect(one.engines.google.crawled_at).toBe(second(late));
  expect(one.visits).toHaveLength(agents.length + 3);
  const few = (await service.request("GET", `${path}/${links[0].id}?rows=1`, { key })).json;
  expect([few.crawls.length, few.visits.length, few.engines]).toEqual([1, 1, one.engines]);
  const { text } = await service.request("GET", `${path}.csv`, { key });
  expect(text).toContain(second(late));
});

test("law: the report counts the pages as fetched whose crawled_at is since sending, and its numbers lead to them", async () => {
  const { accountId, key, project, send } = await siteOf("fetched.example", ["/a", "/b", "/c", "/d", "/e"]);
  const { links } = service.db.t;
  const at = now() - 2 * DAY;
  await service.db.tx((tx) =>
    tx.q.update(links).set({ sentAt: at }).where(like(links.url, "https://fetched.example/%")),
  );
  await send(
    [
      combined({ at: at + DAY, path: "/a" }),
      combined({ at: at - DAY, path: "/b" }),
      combined({ at: at + DAY, path: "/c", address: "8.8.8.8" }),
      combined({ at: at + DAY, path: "/d", agent: OAI_SEARCHBOT, address: VERIFIED.oai }),
      combined({ at: at - DAY, path: "/e" }),
      combined({ at: at + DAY, path: "/e" }),
    ].join("\n"),
  );
  const path = `/projects/${project.id}`;
  const { crawled } = (await service.request("GET", `${path}/report`, { key })).json;
  const none = { fetched: 0, not_fetched: 0, unknown: 5 };
  expect(crawled).toEqual({ google: { fetched: 2, not_fetched: 0, unknown: 3 }, bing: none });
  const user = new User(service);
  const session = { accountId, browser: "Firefox on Linux", ip: "127.0.0.1", now: now() };
  user.cookies.set("sid", await service.db.tx((tx) => openSessionOf(tx, session)));
  const { html } = await user.get(`/dashboard/projects/${project.id}?crawl=google-yes`);
  const list = html.slice(html.indexOf('<section id="urls">'));
  const listed = ["a", "b", "c", "d", "e"].filter((_, position) => list.includes(`_${position}"`));
  expect(listed).toEqual(["a", "e"]);
});

test("200 replayed: the same log changes nothing, packed or not, and counts again after 7 days", async () => {
  const { send, visitsTo } = await siteOf("twice.example", ["/"]);
  const log = combined({ at: now(), path: "/" });
  const bodies = [log, gzipSync(log), log] as const;
  const answers = [];
  for (const body of bodies)
    answers.push((await send(body, { "Content-Encoding": typeof body === "string" ? "identity" : "gzip" })).json);
  expect(answers.map(({ replayed, matched }) => [replayed, matched])).toEqual([
    [false, 1],
    [true, 1],
    [true, 1],
  ]);
  expect(await visitsTo(0)).toMatchObject([{ count: 1 }]);
  service.clock.pass(7 * DAY + 1);
  expect((await send(log)).json.replayed).toBe(false);
  expect(await visitsTo(0)).toMatchObject([{ count: 2 }]);
});

test("logs that come late and out of order: the last status is the one of the last visit", async () => {
  const { send, visitsTo } = await siteOf("late.example", ["/"]);
  for (const [days, status] of [
    [2, 404],
    [1, 200],
    [3, 500],
  ] as const)
    await send(combined({ at: now() - days * DAY, path: "/", status }));
  expect(await visitsTo(0)).toMatchObject([{ count: 3, status: 200 }]);
});

test("a link with http and one with blanks are found by the path alone", async () => {
  const { key, send } = await siteOf("paths.example", ["/a%20b", "/%C3%A9"]);
  const urls = ["http://paths.example/plain"];
  const { project } = (await service.request("POST", "/projects", { key, body: { urls } })).json;
  const paths = ["/a b", "/\\xC3\\xA9", "/plain"];
  const { json } = await send(paths.map((path) => combined({ at: now(), path })).join("\n"));
  expect(json).toMatchObject({ matched: 3, unreadable: 0 });
  const { searchers } = (await service.request("GET", `/projects/${project.id}/report`, { key })).json;
  expect(searchers.map(({ pages }: { pages: number }) => pages)).toEqual([0, 0, 0]);
});

test("200 get_report: whether the searchers of agents came; null where no log was imported", async () => {
  const { key, project, send } = await siteOf("searchers.example", ["/a", "/b", "/c"]);
  const report = async () => (await service.request("GET", `/projects/${project.id}/report`, { key })).json.searchers;
  expect(await report()).toBeNull();
  const visit = (path: string, address: string) => combined({ at: now(), path, address, agent: OAI_SEARCHBOT });
  await send(
    [visit("/a", VERIFIED.oai), visit("/a", "8.8.8.8"), visit("/b", VERIFIED.oai), visit("/c", "8.8.8.8")].join("\n"),
  );
  expect(await report()).toEqual([
    {
      agent: "OAI-SearchBot",
      pages: 2,
      pages_unverified: 2,
      last_at: new Date(Math.floor(now() / 1000) * 1000).toISOString(),
    },
    { agent: "Claude-SearchBot", pages: 0, pages_unverified: 0, last_at: null },
    { agent: "PerplexityBot", pages: 0, pages_unverified: 0, last_at: null },
  ]);
});

test("400, 404, 413, 415: what cannot be read, is too large or is of no verified site changes nothing", async () => {
  const { accountId, key, send, site, visitsTo } = await siteOf("bad.example", ["/"]);
  const line = combined({ at: now(), path: "/" });
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, "\n"));
  expect((await send(bomb)).json.error).toMatchObject({ code: "payload_too_large", max_bytes: 64 * 1024 * 1024 });
  expect((await send(gzipSync(line).subarray(0, 60))).json.error).toMatchObject({ code: "invalid_request" });
  expect((await send(Buffer.alloc(4 * 1024 * 1024 + 1))).json.error.code).toBe("payload_too_large");
  expect((await send(line, { "Content-Type": "text/csv" })).json.error.code).toBe("unsupported_media_type");
  expect((await send(line, { "Content-Encoding": "br" })).json.error.code).toBe("unsupported_media_type");
  const elsewhere = { key, body: line, headers: { "Content-Type": "text/plain" } };
  expect((await service.request("POST", "/sites/other.example/visits", elsewhere)).status).toBe(404);
  const { sites } = service.db.t;
  await service.db.tx((tx) => tx.q.update(sites).set({ status: "failed" }).where(eq(sites.id, site.id)));
  expect((await send(line)).json.error).toMatchObject({ code: "invalid_request", issues: [{ path: "host" }] });
  expect(await visitsTo(0)).toEqual([]);
  expect(
    await service.db.q
      .select()
      .from(service.db.t.visitImports)
      .where(eq(service.db.t.visitImports.accountId, accountId)),
  ).toEqual([]);
});

describe("a push address", async () => {
  const own = await siteOf("push.example", ["/"]);
  const body = { host: "push.example", rotate_push_secret: true };
  const made = (await service.request("POST", "/sites", { key: own.key, body })).json;
  const push = async (log: string | Uint8Array, headers: Record<string, string> = {}, method = "POST") => {
    const init = { method, headers, ...(method === "POST" ? { body: log as string } : {}) };
    const response = await fetch(`${service.url}/push/${own.site.id}`, init);
    return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
  };
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  let minute = 0;
  const line = () => combined({ at: now() - ++minute * 60_000, path: "/" });

  test("its secret is told once, and only its hash is stored", async () => {
    expect(made).toMatchObject({
      push_url: `http://beckon.test/push/${own.site.id}`,
      push_secret: expect.stringMatching(/^beckon_ps_/),
    });
    const again = (await service.request("POST", "/sites", { key: own.key, body: { host: "push.example" } })).json;
    expect([again.push_secret, again.push_url]).toEqual([null, made.push_url]);
    const rows = await service.db.q.select().from(service.db.t.sites);
    expect(JSON.stringify(rows)).not.toContain(made.push_secret);
    const hash = createHash("sha256").update(made.push_secret).digest("hex");
    expect(rows.find(({ id }) => id === own.site.id)).toMatchObject({ pushSecretHash: hash });
  });

  test("201: who asks for it before the site is verified is told when it comes", async () => {
    const { key } = await service.account();
    const early = { host: "early.example", rotate_push_secret: true };
    const { status, json } = await service.request("POST", "/sites", { key, body: early });
    expect([status, json.status, json.push_secret]).toEqual([201, "pending", null]);
    expect(json.next_step).toContain("Once it is verified, call add_site with rotate_push_secret again");
  });

  test("200: by the secret in either header, packed as Logpush sends it, and as a drain of Vercel sends it", async () => {
    const record = {
      EdgeStartTimestamp: now() * 1e6,
      ClientRequestHost: "push.example",
      ClientRequestURI: "/",
      ClientRequestUserAgent: GOOGLEBOT,
      ClientIP: VERIFIED.google,
      EdgeResponseStatus: 200,
    };
    const packed = gzipSync(`${JSON.stringify(record)}\n`);
    expect(await push(packed, { "X-Push-Secret": made.push_secret, "Content-Encoding": "gzip" })).toMatchObject({
      status: 200,
      json: { verified: 1 },
    });
    expect(await push(line(), bearer(made.push_secret))).toMatchObject({ status: 200, json: { matched: 1 } });
    const proxy = {
      timestamp: now(),
      method: "GET",
      host: "push.example",
      path: "/",
      userAgent: [GOOGLEBOT],
      clientIp: VERIFIED.google,
      statusCode: 200,
    };
    const drain = JSON.stringify([
      { requestId: "1", proxy },
      { requestId: "1", proxy },
      { requestId: "2", proxy },
    ]);
    expect(await push(drain, bearer(made.push_secret))).toMatchObject({
      status: 200,
      json: { lines: 3, matched: 2 },
    });
    expect((await push(drain, bearer(made.push_secret))).json.replayed).toBe(true);
  });

  test("200: the tests of Cloudflare and Vercel", async () => {
    const upload = gzipSync('{"content":"tests","filename":"test.txt"}');
    expect(await push(upload, bearer(made.push_secret))).toMatchObject({ status: 200, json: { unreadable: 1 } });
    for (const method of ["GET", "POST"]) {
      const { status, headers } = await push("", { "x-vercel-verify": "abc123" }, method);
      expect([status, headers.get("x-vercel-verify")]).toEqual([200, "abc123"]);
    }
  });

  test("401, 404, 405, 400: nothing is believed without the secret, or of a site that lost its verification", async () => {
    const signed = { "x-vercel-signature": createHmac("sha1", made.push_secret).update("x").digest("hex") };
    for (const headers of [
      {},
      bearer("beckon_ps_wrong"),
      { "X-Push-Secret": "" },
      signed,
      { "x-vercel-verify": "abc" },
    ])
      expect((await push("x", headers as Record<string, string>)).status).toBe(401);
    expect((await push("", {}, "GET")).status).toBe(405);
    expect((await fetch(`${service.url}/push/site_00000000000000000000`, { method: "POST" })).status).toBe(404);
    const { sites } = service.db.t;
    const setStatus = (status: string) =>
      service.db.tx((tx) => tx.q.update(sites).set({ status }).where(eq(sites.id, own.site.id)));
    await setStatus("failed");
    expect((await push(line(), bearer(made.push_secret))).status).toBe(400);
    await setStatus("verified");
  });

  test("413, 400: bombs and what is cut off change nothing, and a log in several parts is one", async () => {
    const secret = bearer(made.push_secret);
    const packed = { ...secret, "Content-Encoding": "gzip" };
    const own1 = line();
    for (const [bytes, status] of [
      [gzipSync(Buffer.alloc(65 * 1024 * 1024, "\n")), 413],
      [gzipSync(gzipSync(Buffer.alloc(65 * 1024 * 1024))), 200],
      [gzipSync(own1).subarray(0, 40), 400],
      [Buffer.concat([gzipSync(own1), Buffer.from("no gzip")]), 400],
      [gzipSync(`${"x".repeat(10_000_000)} "GET / HTTP/1.1" 200 5 "-" "Googlebot/2.1"`), 200],
    ] as const) {
      const answer = await push(bytes, packed);
      expect([bytes.length, answer.status]).toEqual([bytes.length, status]);
      if (status === 200) expect(answer.json).toMatchObject({ matched: 0, unreadable: expect.any(Number) });
    }
    const [one, other] = [line(), line()];
    const parts = Buffer.concat([gzipSync(`${one}\n`), gzipSync(other)]);
    expect((await push(parts, packed)).json).toMatchObject({ lines: 2, matched: 2 });
  });

  test("200: pushes that come again, late and out of order count each visit once", async () => {
    const before = (await own.visitsTo(0)).reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    const [first, second] = [
      combined({ at: now() - 9 * DAY, path: "/", status: 500 }),
      combined({ at: now() - 8 * DAY, path: "/", status: 404 }),
    ];
    for (const log of [second, first, second, first]) await push(log, bearer(made.push_secret));
    const visits = await own.visitsTo(0);
    const after = visits.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(after - before).toBe(2);
    expect(visits.at(-1)).toMatchObject({ status: 200 });
  });

  test("a new secret ends the one before", async () => {
    const next = (await service.request("POST", "/sites", { key: own.key, body })).json;
    expect((await push(line(), bearer(made.push_secret))).status).toBe(401);
    expect((await push(line(), bearer(next.push_secret))).status).toBe(200);
  });
});

test("404: a push address ends with the credentials of its account, and no log is taken after the deletion was requested", async () => {
  const { accountId, key, host, site } = await siteOf("ends.example", ["/"]);
  const body = { host, rotate_push_secret: true };
  const { push_secret: secret } = (await service.request("POST", "/sites", { key, body })).json;
  const push = async () => {
    const headers = { Authorization: `Bearer ${secret}` };
    const line = combined({ at: now(), path: "/" });
    return (await fetch(`${service.url}/push/${site.id}`, { method: "POST", headers, body: line })).status;
  };
  await service.db.tx((tx) => createDeletion(tx, accountId, now()));
  expect(await push()).toBe(401);
  await service.db.tx((tx) => cancelDeletion(tx, accountId));
  await service.db.tx((tx) => revokeAccess(tx, { accountId }, { by: "account_deleted", ip: "127.0.0.1", now: now() }));
  expect(await push()).toBe(404);
  expect(
    await service.db.q.select().from(service.db.t.visits).where(eq(service.db.t.visits.accountId, accountId)),
  ).toEqual([]);
});

test("no IP address is stored, and none is logged", async () => {
  const { send } = await siteOf("private.example", ["/"]);
  const addresses = [VERIFIED.google, "203.0.113.7", "198.51.100.99", "2001:db8:77::99"];
  await send(addresses.map((address) => combined({ at: now(), path: "/", address })).join("\n"));
  for (const table of [service.db.t.visits, service.db.t.visitImports] as const) {
    const stored = JSON.stringify(await service.db.q.select().from(table as typeof service.db.t.visits));
    expect(stored.length).toBeGreaterThan(10);
    for (const address of addresses) expect(stored).not.toContain(address);
  }
  expect(JSON.stringify(service.errors)).not.toContain("203.0.113.7");
});

test("visits go 400 days after the last of them", async () => {
  const { accountId, send } = await siteOf("old.example", ["/", "/b"]);
  await send([combined({ at: now() - 300 * DAY, path: "/" }), combined({ at: now(), path: "/b" })].join("\n"));
  service.clock.pass(101 * DAY);
  await purgeVisits(service.db, now());
  const { visits } = service.db.t;
  const left = await service.db.q.select().from(visits).where(eq(visits.accountId, accountId));
  expect(left.map(({ url }) => url)).toEqual(["https://old.example/b"]);
  expect(await service.db.q.select().from(service.db.t.visitImports)).toEqual([]);
});

test("a time in any zone is the same moment", async () => {
  const { send, visitsTo } = await siteOf("zones.example", ["/"]);
  const zones = ["+0000", "+1400", "-0930"];
  await send(zones.map((zone) => combined({ at: now(), path: "/", time: logTime(now(), zone) })).join("\n"));
  const at = new Date(Math.floor(now() / 1000) * 1000).toISOString();
  expect(await visitsTo(0)).toMatchObject([{ count: 3, first_at: at, last_at: at }]);
});

test("200: lines of other centuries are counted as unreadable, and change nothing", async () => {
  const { send, visitsTo } = await siteOf("centuries.example", ["/"]);
  const times = ["0001", "1026", "1899", "1970", "1999", "2100", "9999"].map((year) => `25/Nov/${year}:08:15:30 +0000`);
  const lines = times.map((time) => combined({ at: now(), path: "/", time }));
  const seconds = [0, -1, 1e3, 253_402_300_799, 1e30].map((time) =>
    JSON.stringify({ time, url: "/", agent: GOOGLEBOT, ip: VERIFIED.google }),
  );
  const { json } = await send([...lines, ...seconds].join("\n"));
  expect(json).toMatchObject({ lines: 12, unreadable: 12, matched: 0 });
  expect(await visitsTo(0)).toEqual([]);
});

import type { RequestListener, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPageReader } from "../../../../src/indexing/preflight/reader.ts";
import { holdTimers, until } from "../../../support/service/held-timers.ts";
import { realClock, startWeb, type WebRequest } from "../../../support/website/web.ts";

const NOT_LOOKED_AT = { refusal: null, warnings: ["not_looked_at"] };
const TOO_MANY = { refusal: null, warnings: ["http_429"] };
const FINE = { refusal: null, warnings: [] };

const hosts = Array.from({ length: 50 }, (_, index) => `h${index}.example`);
let listener: RequestListener = (_, res) => void res.end();
const web = await startWeb((req, res) => {
  if (req.url === "/robots.txt") res.writeHead(404).end();
  else listener(req, res);
}, hosts);

const FAST = { http: web.http, clock: realClock, pace: { gapMs: 5 }, pageMs: 300_000, recheckMs: 20 };
/** A deadline that no check comes to. */
const late = () => Date.now() + 600_000;
/** For checks whose deadline is a timer that the test holds. */
const stoppedClock = { now: () => 0, service: () => 0 };
const pagesOf = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => web.url(`/page/${index}`, host));
const requestsTo = (from: number, host: string) => web.requests.slice(from).filter((one) => one.host === host);

/** The HTTP client of the tests: tells the host before each request, and the URL when its response has been read. */
function observed({ onFetch = (_: string) => {}, onRead = (_: string) => {} }) {
  const fetchPublic: typeof web.http.fetchPublic = async (url, options) => {
    const { hostname } = new URL(url);
    onFetch(hostname);
    // robots.txt has a time limit of its own.
    const response = await web.http.fetchPublic(url, { ...options, timeMs: FAST.pageMs });
    const discard = () => {
      response.discard();
      onRead(url);
    };
    return { ...response, discard };
  };
  return { ...web.http, fetchPublic };
}

function mostAtOnce(requests: readonly WebRequest[]): number {
  const edges = requests.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.by - b.by);
  let running = 0;
  return Math.max(...edges.map(({ by }) => (running += by)));
}

test("500 pages on 50 hosts: each is fetched once, at a host 2 at once and a gap apart, and 32 in all", async () => {
  listener = (_, res) => void setTimeout(() => res.end(), 30);
  const [gapMs, gaps] = [25, new Set<string>()];
  const timers = holdTimers(gapMs);
  let [gap, isOver] = [0, false];
  const onFetch = (host: string) => {
    expect(gaps).not.toContain(`${host} ${gap}`);
    gaps.add(`${host} ${gap}`);
  };
  const reader = createPageReader({ ...FAST, http: observed({ onFetch }), pace: { gapMs } });
  const urls = Array.from({ length: 500 }, (_, index) => web.url(`/page/${index}`, hosts[index % 50]!));
  const from = web.requests.length;
  const checking = reader.check(urls, late()).finally(() => {
    isOver = true;
  });
  for (; !isOver; gap++) {
    timers.end(gapMs);
    await setImmediate();
  }
  expect(await checking).toMatchObject(urls.map(() => FINE));

  const requests = web.requests.slice(from);
  expect(requests.map(({ host, path }) => `${host}${path}`).toSorted()).toEqual(
    [
      ...urls.map((url) => `${new URL(url).hostname}${new URL(url).pathname}`),
      ...hosts.map((host) => `${host}/robots.txt`),
    ].toSorted(),
  );
  expect(mostAtOnce(requests)).toBeLessThanOrEqual(32);
  for (const host of hosts) expect(mostAtOnce(requestsTo(from, host))).toBeLessThanOrEqual(2);
});

test("simultaneous checks share the throttle and the robots.txt of a host", async () => {
  listener = (_, res) => void setTimeout(() => res.end(), 40);
  const reader = createPageReader({ ...FAST, pace: { gapMs: 0 } });
  const from = web.requests.length;
  await Promise.all([0, 1, 2].map(() => reader.check(pagesOf("h1.example", 4), late())));
  const own = requestsTo(from, "h1.example");
  expect(own.filter(({ path }) => path === "/robots.txt")).toHaveLength(1);
  expect(own).toHaveLength(13);
  expect(mostAtOnce(own)).toBeLessThanOrEqual(2);
});

test("a host that hangs does not delay another, and the check ends at its deadline", async () => {
  listener = (req, res) => {
    if (!req.headers.host!.startsWith("h1.")) res.end();
  };
  const read = new Set<string>();
  const http = observed({ onRead: (url) => void read.add(url) });
  const reader = createPageReader({ ...FAST, http, clock: stoppedClock, pace: { concurrency: 4, gapMs: 5 } });
  const urls = [...pagesOf("h1.example", 20), ...pagesOf("h2.example", 20)];
  const timers = holdTimers(600);
  const checking = reader.check(urls, 600);
  await until(() => urls.slice(20).every((url) => read.has(url)));
  timers.end(600);
  const reports = await checking;
  expect(reports.slice(0, 20)).toMatchObject(Array.from({ length: 20 }, () => NOT_LOOKED_AT));
  expect(reports.slice(20)).toMatchObject(Array.from({ length: 20 }, () => FINE));
});

test("not_looked_at: the deadline has passed, and nothing is fetched", async () => {
  const from = web.requests.length;
  const reports = await createPageReader(FAST).check(pagesOf("h3.example", 3), Date.now());
  expect(reports).toMatchObject([NOT_LOOKED_AT, NOT_LOOKED_AT, NOT_LOOKED_AT]);
  expect(web.requests).toHaveLength(from);
});

test("what arrives after the deadline is neither reported nor stored", async () => {
  const held: ServerResponse[] = [];
  listener = (_, res) => void held.push(res);
  const from = web.requests.length;
  const timers = holdTimers(150);
  const checking = createPageReader({ ...FAST, clock: stoppedClock }).check(pagesOf("h4.example", 2), 150);
  await until(() => held.length === 2);
  timers.end(150);
  const reports = await checking;
  const atDeadline = structuredClone(reports);
  for (const res of held) res.writeHead(403).end();
  await until(() => requestsTo(from, "h4.example").every(({ to }) => to > 0));
  expect(reports).toMatchObject(atDeadline);
  expect(atDeadline).toEqual([NOT_LOOKED_AT, NOT_LOOKED_AT]);
});

test("http_404 as a warning: the deadline passes before the second request", async () => {
  listener = (_, res) => void res.writeHead(404).end();
  const [recheckMs, gapMs, deadline] = [50, 200, 350];
  const timers = holdTimers(recheckMs, gapMs, deadline);
  const reader = createPageReader({ ...FAST, clock: stoppedClock, recheckMs, pace: { gapMs } });
  const checking = reader.check(pagesOf("h5.example", 1), deadline);
  await until(() => timers.waiting(gapMs) === 1);
  // After robots.txt; the gap after the page does not end.
  timers.end(gapMs);
  await until(() => timers.waiting(recheckMs) === 1);
  timers.end(recheckMs);
  await setImmediate();
  timers.end(deadline);
  const reports = await checking;
  expect(reports).toMatchObject([{ refusal: null, warnings: ["http_404"] }]);
});

test("second requests go before first ones, so that a list of missing pages is decided from its beginning", async () => {
  listener = (_, res) => void res.writeHead(404).end();
  const timers = holdTimers(1_500);
  const from = web.requests.length;
  const reader = createPageReader({ ...FAST, clock: stoppedClock, pace: { gapMs: 20 }, recheckMs: 60 });
  const checking = reader.check(pagesOf("h6.example", 150), 1_500);
  await until(() => requestsTo(from, "h6.example").length > 60);
  timers.end(1_500);
  const reports = await checking;
  const refused = reports.filter(({ refusal }) => refusal === "http_404").length;
  expect(refused).toBeGreaterThan(10);
  expect(reports.slice(0, 8).map(({ refusal }) => refusal)).toEqual(Array.from({ length: 8 }, () => "http_404"));
});

test("http_429: the host is not asked again in this check, other hosts are", async () => {
  listener = (req, res) => {
    const isOver = req.headers.host!.startsWith("h7.") && Number(req.url!.split("/").at(-1)) >= 3;
    res.writeHead(isOver ? 429 : 200).end();
  };
  const reader = createPageReader({ ...FAST, pace: { gapMs: 20 } });
  const from = web.requests.length;
  const reports = await reader.check([...pagesOf("h7.example", 30), ...pagesOf("h8.example", 30)], late());
  expect(reports.slice(0, 3)).toMatchObject([FINE, FINE, FINE]);
  expect(reports.slice(3, 30)).toMatchObject(Array.from({ length: 27 }, () => TOO_MANY));
  expect(reports.slice(30)).toMatchObject(Array.from({ length: 30 }, () => FINE));
  // robots.txt, the three pages, the one that got 429, and one that may have been sent already.
  expect(requestsTo(from, "h7.example").length).toBeLessThanOrEqual(6);
});

test("http_429: a page keeps the warning that it had before", async () => {
  listener = (req, res) => void res.writeHead(req.url === "/page/0" ? 404 : 429).end();
  const reader = createPageReader({ ...FAST, recheckMs: 60_000 });
  const reports = await reader.check(pagesOf("h12.example", 3), late());
  expect(reports).toMatchObject([{ refusal: null, warnings: ["http_404"] }, TOO_MANY, TOO_MANY]);
});

test("http_429 with Retry-After: the next check does not ask the host before then either", async () => {
  let now = Date.now();
  const clock = { now: () => now, service: () => now };
  const reader = createPageReader({ ...FAST, clock });
  const [url] = pagesOf("h9.example", 1);
  listener = (_, res) => void res.writeHead(429, { "Retry-After": "30" }).end();
  expect(await reader.check([url!], now + 600_000)).toMatchObject([TOO_MANY]);
  listener = (_, res) => void res.end();
  const before = web.requests.length;
  now += 29_000;
  expect(await reader.check([url!], now + 600_000)).toMatchObject([TOO_MANY]);
  expect(web.requests).toHaveLength(before);
  now += 2_000;
  expect(await reader.check([url!], now + 600_000)).toMatchObject([FINE]);
});

test("a host that gives no answer three times is given up, and its other pages are unreachable", async () => {
  listener = (_, res) => void res.destroy();
  const from = web.requests.length;
  // One at a time: a failure on the connection that has answered for robots.txt would begin the count again.
  const reader = createPageReader({ ...FAST, pace: { perHost: 1, gapMs: 1 } });
  const reports = await reader.check(pagesOf("h10.example", 100), late());
  expect(reports).toMatchObject(Array.from({ length: 100 }, () => ({ refusal: null, warnings: ["unreachable"] })));
  expect(requestsTo(from, "h10.example").length).toBeLessThanOrEqual(6);
});

test("an answer in between resets the count of a host that fails often", async () => {
  listener = (req, res) => {
    // Closed, or the next request would find a connection that has answered before: that host is not down.
    if (Number(req.url!.split("/").at(-1)) % 3 === 0) res.writeHead(200, { Connection: "close" }).end();
    else res.destroy();
  };
  const reader = createPageReader({ ...FAST, pace: { perHost: 1, gapMs: 1 } });
  const reports = await reader.check(pagesOf("h11.example", 12), late());
  expect(reports.map(({ warnings }) => warnings.join())).toEqual(
    Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? "" : "unreachable")),
  );
});

test("host_not_public: 500 pages on an internal host are refused without 500 attempts", async () => {
  const urls = Array.from({ length: 500 }, (_, index) => `http://inside.example/${index}`);
  let tries = 0;
  const http = observed({ onFetch: () => (tries += 1) });
  const reports = await createPageReader({ ...FAST, http, pace: { gapMs: 200 } }).check(urls, late());
  expect(reports).toMatchObject(urls.map(() => ({ refusal: "host_not_public", warnings: [] })));
  expect(tries).toBeLessThan(10);
});

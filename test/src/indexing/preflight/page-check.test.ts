import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { createPageReader } from "../../../../src/indexing/preflight/reader.ts";
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

const FAST = { http: web.http, clock: realClock, pace: { gapMs: 5 }, pageMs: 2_000, recheckMs: 20 };
const soon = () => Date.now() + 10_000;
const pagesOf = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => web.url(`/page/${index}`, host));
const asked = (from: number, host: string) => web.requests.slice(from).filter((one) => one.host === host);

function mostAtOnce(requests: readonly WebRequest[]): number {
  const edges = requests.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.by - b.by);
  let running = 0;
  return Math.max(...edges.map(({ by }) => (running += by)));
}

test("500 pages on 50 hosts: each is fetched once, 2 at once and a gap apart at a host, 32 in all", async () => {
  listener = (_, res) => void setTimeout(() => res.end(), 30);
  const reader = createPageReader({ ...FAST, pace: { gapMs: 25 } });
  const urls = Array.from({ length: 500 }, (_, index) => web.url(`/page/${index}`, hosts[index % 50]!));
  const from = web.requests.length;
  const reports = await reader.check(urls, Date.now() + 15_000);
  expect(reports).toEqual(urls.map(() => FINE));

  const requests = web.requests.slice(from);
  expect(requests.map(({ host, path }) => `${host}${path}`).toSorted()).toEqual(
    [
      ...urls.map((url) => `${new URL(url).hostname}${new URL(url).pathname}`),
      ...hosts.map((host) => `${host}/robots.txt`),
    ].toSorted(),
  );
  expect(mostAtOnce(requests)).toBeLessThanOrEqual(32);
  for (const host of hosts) {
    const own = asked(from, host);
    expect(mostAtOnce(own)).toBeLessThanOrEqual(2);
    // Starts are measured where they arrive, which is not quite when they set out.
    const span = own.at(-1)!.from - own[0]!.from;
    expect(span).toBeGreaterThan((own.length - 1) * 25 - 15);
  }
});

test("looks that run at the same time spare a host together, and share its robots.txt", async () => {
  listener = (_, res) => void setTimeout(() => res.end(), 40);
  const reader = createPageReader({ ...FAST, pace: { gapMs: 0 } });
  const from = web.requests.length;
  await Promise.all([0, 1, 2].map(() => reader.check(pagesOf("h1.example", 4), soon())));
  const own = asked(from, "h1.example");
  expect(own.filter(({ path }) => path === "/robots.txt")).toHaveLength(1);
  expect(own).toHaveLength(13);
  expect(mostAtOnce(own)).toBeLessThanOrEqual(2);
});

test("a host that hangs does not hold up another, and the look ends at its deadline", async () => {
  listener = (req, res) => {
    if (!req.headers.host!.startsWith("h1.")) res.end();
  };
  const reader = createPageReader({ ...FAST, pace: { concurrency: 4, gapMs: 5 } });
  const from = performance.now();
  const urls = [...pagesOf("h1.example", 20), ...pagesOf("h2.example", 20)];
  const reports = await reader.check(urls, Date.now() + 600);
  expect(performance.now() - from).toBeGreaterThan(550);
  expect(performance.now() - from).toBeLessThan(1_500);
  expect(reports.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => NOT_LOOKED_AT));
  expect(reports.slice(20)).toEqual(Array.from({ length: 20 }, () => FINE));
});

test("not_looked_at: a deadline that has passed, and nothing is fetched", async () => {
  const from = web.requests.length;
  const reports = await createPageReader(FAST).check(pagesOf("h3.example", 3), Date.now());
  expect(reports).toEqual([NOT_LOOKED_AT, NOT_LOOKED_AT, NOT_LOOKED_AT]);
  expect(web.requests).toHaveLength(from);
});

test("what is found out after the deadline is neither told nor kept", async () => {
  listener = (_, res) => void setTimeout(() => res.writeHead(403).end(), 300);
  const reader = createPageReader(FAST);
  const reports = await reader.check(pagesOf("h4.example", 2), Date.now() + 150);
  const told = structuredClone(reports);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(reports).toEqual(told);
  expect(told).toEqual([NOT_LOOKED_AT, NOT_LOOKED_AT]);
});

test("http_404 as a warning: the deadline comes before the turn of the second look", async () => {
  listener = (_, res) => void res.writeHead(404).end();
  const reader = createPageReader({ ...FAST, recheckMs: 50, pace: { gapMs: 200 } });
  // robots.txt at 0, the page at 200 ms; its second look is due at 250 and would have its turn at 400.
  const reports = await reader.check(pagesOf("h5.example", 1), Date.now() + 350);
  expect(reports).toEqual([{ refusal: null, warnings: ["http_404"] }]);
});

test("second looks go before first ones, so that a list of dead pages is decided from its beginning", async () => {
  listener = (_, res) => void res.writeHead(404).end();
  const reader = createPageReader({ ...FAST, pace: { gapMs: 20 }, recheckMs: 60 });
  const reports = await reader.check(pagesOf("h6.example", 150), Date.now() + 1_500);
  const refused = reports.filter(({ refusal }) => refusal === "http_404").length;
  expect(refused).toBeGreaterThan(10);
  expect(reports.slice(0, 8).map(({ refusal }) => refusal)).toEqual(Array.from({ length: 8 }, () => "http_404"));
});

test("http_429: the host is left alone for the rest of the look, other hosts are not", async () => {
  listener = (req, res) => {
    const isOver = req.headers.host!.startsWith("h7.") && Number(req.url!.split("/").at(-1)) >= 3;
    res.writeHead(isOver ? 429 : 200).end();
  };
  const reader = createPageReader({ ...FAST, pace: { gapMs: 20 } });
  const from = web.requests.length;
  const reports = await reader.check([...pagesOf("h7.example", 30), ...pagesOf("h8.example", 30)], soon());
  expect(reports.slice(0, 3)).toEqual([FINE, FINE, FINE]);
  expect(reports.slice(3, 30)).toEqual(Array.from({ length: 27 }, () => TOO_MANY));
  expect(reports.slice(30)).toEqual(Array.from({ length: 30 }, () => FINE));
  // robots.txt, the three, the one that was told so, and one that may have been on its way.
  expect(asked(from, "h7.example").length).toBeLessThanOrEqual(6);
});

test("http_429: what was seen of a page before stays said of it", async () => {
  listener = (req, res) => void res.writeHead(req.url === "/page/0" ? 404 : 429).end();
  const reader = createPageReader({ ...FAST, recheckMs: 1_000 });
  const reports = await reader.check(pagesOf("h12.example", 3), soon());
  expect(reports).toEqual([{ refusal: null, warnings: ["http_404"] }, TOO_MANY, TOO_MANY]);
});

test("http_429 with Retry-After: the next look leaves the host alone too, until then", async () => {
  let now = Date.now();
  const clock = { now: () => now, service: () => now };
  const reader = createPageReader({ ...FAST, clock });
  const [url] = pagesOf("h9.example", 1);
  listener = (_, res) => void res.writeHead(429, { "Retry-After": "30" }).end();
  expect(await reader.check([url!], now + 5_000)).toEqual([TOO_MANY]);
  listener = (_, res) => void res.end();
  const before = web.requests.length;
  now += 29_000;
  expect(await reader.check([url!], now + 5_000)).toEqual([TOO_MANY]);
  expect(web.requests).toHaveLength(before);
  now += 2_000;
  expect(await reader.check([url!], now + 5_000)).toEqual([FINE]);
});

test("a host that nothing comes back from three times is given up, and its other pages are told so", async () => {
  listener = (_, res) => void res.destroy();
  const from = web.requests.length;
  const reports = await createPageReader(FAST).check(pagesOf("h10.example", 100), soon());
  expect(reports).toEqual(Array.from({ length: 100 }, () => ({ refusal: null, warnings: ["unreachable"] })));
  expect(asked(from, "h10.example").length).toBeLessThanOrEqual(6);
});

test("a page that works in between keeps a flaky host alive", async () => {
  listener = (req, res) => {
    // Closed, or the next request would find a connection that has answered before: that host is not down.
    if (Number(req.url!.split("/").at(-1)) % 3 === 0) res.writeHead(200, { Connection: "close" }).end();
    else res.destroy();
  };
  const reader = createPageReader({ ...FAST, pace: { perHost: 1, gapMs: 1 } });
  const reports = await reader.check(pagesOf("h11.example", 12), soon());
  expect(reports.map(({ warnings }) => warnings.join())).toEqual(
    Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? "" : "unreachable")),
  );
});

test("host_not_public: 500 pages inside a network are refused without 500 tries", async () => {
  const urls = Array.from({ length: 500 }, (_, index) => `http://inside.example/${index}`);
  const from = performance.now();
  const reports = await createPageReader({ ...FAST, pace: { gapMs: 200 } }).check(urls, soon());
  expect(reports).toEqual(urls.map(() => ({ refusal: "host_not_public", warnings: [] })));
  expect(performance.now() - from).toBeLessThan(3_000);
});

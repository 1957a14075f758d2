import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { expect, test } from "vitest";
import { createPageReader } from "../../../../src/indexing/preflight/reader.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { TestClock } from "../../../support/service/clock.ts";
import { realClock, startWeb } from "../../../support/website/web.ts";

let answer: (res: ServerResponse) => void = (res) => void res.end();
const web = await startWeb((req, res) => {
  if (req.url === "/robots.txt") res.writeHead(404).end();
  else answer(res);
});
const FAST = { http: web.http, clock: realClock, pace: { gapMs: 0 }, recheckMs: 20, pageMs: 3_000 };
const soon = () => Date.now() + 10_000;

function shows(body: string, status = 200): void {
  answer = (res) =>
    void res.writeHead(status, { "Content-Type": "text/html" }).end(`<head></head><body>${body}</body>`);
}

const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const video = (publication: unknown) => ({ "@context": "https://schema.org", "@type": "VideoObject", publication });
const BROADCAST = { "@type": "BroadcastEvent", isLiveBroadcast: true };
const VIDEO = '<div itemscope itemtype="https://schema.org/VideoObject">';

const CASES: readonly (readonly [name: string, body: string, isEligible: boolean])[] = [
  ["a job", ld({ "@context": "https://schema.org/", "@type": "JobPosting", title: "x" }), true],
  ["a job in a list", ld([{ "@type": "Organization" }, { "@type": "JobPosting" }]), true],
  ["a job in a graph", ld({ "@graph": [{ "@type": "WebPage" }, { "@type": "JobPosting" }] }), true],
  ["a job that the page is about", ld({ "@type": "WebPage", mainEntity: { "@type": "JobPosting" } }), true],
  ["a job of two types", ld({ "@type": ["Thing", "JobPosting"] }), true],
  ["a job by its full name", ld({ "@type": "http://schema.org/JobPosting" }), true],
  ["a job in the second script", ld({ "@type": "WebPage" }) + ld({ "@type": "JobPosting" }), true],
  ["a job as microdata", '<div itemscope itemtype="https://schema.org/JobPosting">', true],
  ["a live video", ld(video(BROADCAST)), true],
  ["a live video with several publications", ld(video([{ "@type": "PublicationEvent" }, BROADCAST])), true],
  [
    "a live video as microdata",
    `${VIDEO}<span itemprop="publication" itemscope itemtype="https://schema.org/BroadcastEvent">`,
    true,
  ],
  ["an ordinary page", "<p>JobPosting</p>", false],
  ["an article", ld({ "@type": "Article", headline: "JobPosting" }), false],
  ["a list of jobs elsewhere", ld({ "@type": "ItemList", itemListElement: [{ "@type": "JobPosting" }] }), false],
  ["a video", ld({ "@type": "VideoObject" }), false],
  ["a video published otherwise", ld(video({ "@type": "PublicationEvent" })), false],
  ["an event without a video", ld(BROADCAST), false],
  ["a type that begins alike", ld({ "@type": "JobPostings" }), false],
  ["another vocabulary", ld({ "@type": "https://other.example/JobPosting" }), false],
  ["a job in a script of another type", "<script>{'@type':'JobPosting'}</script>", false],
  ["JSON that is none", '<script type="application/ld+json">{"@type":"JobPosting",}</script>', false],
  ["a script that does not end", '<script type="application/ld+json">{"@type":"JobPosting"}', false],
  ["a video as microdata", VIDEO, false],
  ["an event as microdata", '<p itemprop="publication" itemtype="https://schema.org/BroadcastEvent">', false],
];

test.each(CASES)("%s", async (_, body, isEligible) => {
  shows(body);
  expect(await createPageReader(FAST).isEligible(web.url("/"))).toBe(isEligible);
});

const JOB = ld({ "@type": "JobPosting" });

test("a page that refuses indexing, or cannot be read, is not eligible", async () => {
  const reader = createPageReader(FAST);
  shows(JOB, 404);
  expect(await reader.isEligible(web.url("/gone"))).toBe(false);
  answer = (res) =>
    void res.writeHead(200, { "Content-Type": "text/html", "X-Robots-Tag": "noindex" }).end(`<head></head>${JOB}`);
  expect(await reader.isEligible(web.url("/noindex"))).toBe(false);
  answer = (res) => {
    if (res.req.url === "/job") res.writeHead(200, { "Content-Type": "text/html" }).end(JOB);
    else res.writeHead(302, { Location: "/job" }).end();
  };
  expect(await reader.isEligible(web.url("/moved"))).toBe(false);
  expect(await reader.isEligible("http://127.0.0.1/")).toBe(false);
  expect(await reader.isEligible("http://nowhere.example/")).toBe(false);
});

test("after a preflight no page is fetched again for ten minutes", async () => {
  const clock = new TestClock();
  const reader = createPageReader({ ...FAST, clock });
  shows(JOB);
  await reader.check([web.url("/a"), web.url("/b")], clock.now() + 5_000);
  const before = web.requests.length;
  expect(await reader.isEligible(web.url("/a"))).toBe(true);
  clock.pass(10 * MINUTE - 1);
  expect(await reader.isEligible(web.url("/a"))).toBe(true);
  expect(web.requests).toHaveLength(before);
  clock.pass(1);
  expect(await reader.isEligible(web.url("/a"))).toBe(true);
  expect(web.requests).toHaveLength(before + 1);
});

test("a preflight fetches the page again, so that a correction counts at once", async () => {
  const reader = createPageReader(FAST);
  shows("", 404);
  expect((await reader.check([web.url("/mended")], soon()))[0]?.refusal).toBe("http_404");
  shows("");
  expect((await reader.check([web.url("/mended")], soon()))[0]?.refusal).toBeNull();
});

test("without the Indexing API a preflight reads only the head, and isEligible reads the whole page", async () => {
  const reader = createPageReader({ ...FAST, seeksPostings: false });
  shows(JOB);
  await reader.check([web.url("/c")], soon());
  const before = web.requests.length;
  expect(await reader.isEligible(web.url("/c"))).toBe(true);
  expect(await reader.isEligible(web.url("/c"))).toBe(true);
  expect(web.requests).toHaveLength(before + 1);
});

/** Writes until nobody reads any more, and tells how much that was. */
function endless(res: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (res.writable && res.write(chunk));
    res.once("drain", more);
  };
  more();
}

test.each([
  ["a body without end", {}, (res: ServerResponse) => endless(res, Buffer.alloc(64 * 1024, "<p>more</p>"))],
  [
    "a bomb of gzip",
    { "Content-Encoding": "gzip" },
    (res: ServerResponse) => {
      const bomb = createGzip();
      bomb.pipe(res);
      res.on("close", () => bomb.destroy());
      const zeros = Buffer.alloc(1024 * 1024, 0x20);
      const more = () => {
        while (!bomb.destroyed && bomb.write(zeros));
        bomb.once("drain", more);
      };
      more();
    },
  ],
  ["noise", {}, (res: ServerResponse) => endless(res, randomBytes(64 * 1024))],
])("%s: what was read counts, and the rest is discarded", async (_, headers, write) => {
  const before = process.memoryUsage().rss;
  answer = (res) => {
    res.writeHead(200, { "Content-Type": "text/html", Link: '</x>; rel="canonical"', ...headers });
    write(res);
  };
  const from = performance.now();
  const reader = createPageReader({ ...FAST, pageMs: 30_000 });
  const [report] = await reader.check([web.url("/endless")], Date.now() + 60_000);
  expect(report).toMatchObject({ refusal: null, warnings: ["canonical_elsewhere"] });
  // It was not the time limit that ended it.
  expect(performance.now() - from).toBeLessThan(20_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

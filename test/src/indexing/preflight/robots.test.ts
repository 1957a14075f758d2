import type { RequestListener, ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { HostThrottle, PACE } from "../../../../src/indexing/preflight/host-throttle.ts";
import { createPageReader } from "../../../../src/indexing/preflight/reader.ts";
import { Robots } from "../../../../src/indexing/preflight/robots.ts";
import { HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import type { HttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { TestClock } from "../../../support/service/clock.ts";
import { realClock, startWeb } from "../../../support/website/web.ts";

const hosts = Array.from({ length: 50 }, (_, index) => `h${index}.example`);
let robots: RequestListener = (_, res) => void res.end();
const web = await startWeb((req, res) => {
  if (req.url === "/robots.txt") robots(req, res);
  else res.end();
}, hosts);

const FAST = { http: web.http, pace: { gapMs: 0 }, recheckMs: 20 };
const reader = createPageReader({ ...FAST, clock: realClock });
const DISALLOWED = { refusal: "robots_disallowed", warnings: [] };
const FINE = { refusal: null, warnings: [] };
const UNREACHED = { refusal: null, warnings: ["robots_unreachable"] };

function says(text: string | Buffer, status = 200, headers = {}): (res: ServerResponse) => void {
  return (res) => void res.writeHead(status, { "Content-Type": "text/plain", ...headers }).end(text);
}

const NO = "User-agent: *\nDisallow: /";
const flood = (res: ServerResponse) => {
  res.writeHead(200);
  const more = () => {
    while (res.writable && res.write("# nothing to be seen here\n".repeat(1_000)));
    res.once("drain", more);
  };
  more();
};

const GZIP_BEGIN = Buffer.from([0x1f, 0x8b, 0x0a]);

const CASES: readonly (readonly [name: string, answer: (res: ServerResponse) => void, report: object])[] = [
  ["a file that disallows", says(NO), DISALLOWED],
  ["a file that does not", says("User-agent: *\nDisallow: /other"), FINE],
  ["a file in gzip", says(gzipSync(NO), 200, { "Content-Encoding": "gzip" }), DISALLOWED],
  ["a file in gzip that no header tells of", says(gzipSync(NO)), DISALLOWED],
  ["a file in gzip that no header tells of, cut off", says(gzipSync(NO).subarray(0, -8)), DISALLOWED],
  ["a file that begins as gzip does", says(Buffer.from([0x1f, 0x8b, 0x08, 0, 1, 2])), FINE],
  ["a file whose first line begins as gzip does", says(Buffer.concat([GZIP_BEGIN, Buffer.from(NO)])), DISALLOWED],
  ["an empty file", says(""), FINE],
  ["299: a file as any", says(NO, 299), DISALLOWED],
  ["300 without an address: all is allowed", says(NO, 300), FINE],
  ["a byte order mark", says(`\uFEFF${NO}`), DISALLOWED],
  ["UTF-16, little endian", says(Buffer.from(`\uFEFF${NO}`, "utf16le")), DISALLOWED],
  ["UTF-16, big endian", says(Buffer.from(`\uFEFF${NO}`, "utf16le").swap16()), DISALLOWED],
  ["UTF-16 without a byte order mark", says(Buffer.from(NO, "utf16le")), DISALLOWED],
  [
    "UTF-16 in gzip",
    says(gzipSync(Buffer.from(`\uFEFF${NO}`, "utf16le")), 200, { "Content-Encoding": "gzip" }),
    DISALLOWED,
  ],
  ["a header that says UTF-16 of UTF-8", says(NO, 200, { "Content-Type": "text/plain; charset=utf-16" }), DISALLOWED],
  ["a file in brotli", says(brotliCompressSync(NO), 200, { "Content-Encoding": "br" }), DISALLOWED],
  [
    "a file in zstd, and then gzip",
    says(gzipSync(zstdCompressSync(NO)), 200, { "Content-Encoding": "zstd, gzip" }),
    DISALLOWED,
  ],
  ["a file under a coding that is none", says(NO, 200, { "Content-Encoding": "UTF-8" }), DISALLOWED],
  ["a file that says it is HTML", says(NO, 200, { "Content-Type": "text/html" }), DISALLOWED],
  ["404: all is allowed", says(NO, 404), FINE],
  ["401: all is allowed", says(NO, 401), FINE],
  ["403: all is allowed", says(NO, 403), FINE],
  ["410: all is allowed", says(NO, 410), FINE],
  ["429: nobody knows", says(NO, 429), UNREACHED],
  ["500: nobody knows", says(NO, 500), UNREACHED],
  ["503: nobody knows", says(NO, 503), UNREACHED],
  ["a connection cut: nobody knows", (res) => void res.destroy(), UNREACHED],
  ["broken gzip: nobody knows", says("no", 200, { "Content-Encoding": "gzip" }), UNREACHED],
  [
    "a redirect is followed, to another host too",
    says("", 301, { Location: web.url("/robots.txt", "h49.example") }),
    DISALLOWED,
  ],
  ["redirects without end: all is allowed", says("", 302, { Location: "/robots.txt" }), FINE],
  ["a redirect into our network: nobody knows", says("", 302, { Location: "http://127.0.0.1/" }), UNREACHED],
  ["rules behind 500 KB do not count", says(`${"# nothing\n".repeat(60_000)}${NO}`), FINE],
  ["rules before 500 KB do", says(`${NO}\n${"# nothing\n".repeat(60_000)}`), DISALLOWED],
  ["a file without end", flood, FINE],
];

test.each(CASES.map((one, index) => [...one, index] as const))("%s", async (_, answer, report, index) => {
  robots = (req, res) => (req.headers.host!.startsWith("h49.") ? says(NO)(res) : answer(res));
  expect(await reader.check([web.url("/", hosts[index])], Date.now() + 5_000)).toMatchObject([report]);
});

test("a path beyond ASCII is read in the encoding of its file", async () => {
  const text = "User-agent: *\nDisallow: /café";
  const types = ["text/plain; charset=iso-8859-1", "text/plain"];
  const bodies = [Buffer.from(text, "latin1"), Buffer.from(text)];
  for (const [index, host] of ["h43.example", "h44.example"].entries()) {
    robots = (_, res) => says(bodies[index]!, 200, { "Content-Type": types[index]! })(res);
    expect(await reader.check([web.url("/caf%C3%A9/a", host)], Date.now() + 5_000)).toMatchObject([DISALLOWED]);
  }
});

test("robots_disallowed: the page itself is not fetched", async () => {
  robots = (_, res) => says("User-agent: googlebot\nDisallow: /private/*?id=")(res);
  const from = web.requests.length;
  const urls = [web.url("/private/a?id=1", "h40.example"), web.url("/private/a", "h40.example")];
  expect(await reader.check(urls, Date.now() + 5_000)).toMatchObject([DISALLOWED, FINE]);
  expect(web.requests.slice(from).map(({ path }) => path)).toEqual(["/robots.txt", "/private/a"]);
});

test("the robots.txt of the page's own origin decides, not the robots.txt of the origin it redirects to", async () => {
  robots = (req, res) => says(req.headers.host!.startsWith("h41.") ? "" : NO)(res);
  expect(await reader.check([web.url("/", "h41.example")], Date.now() + 5_000)).toMatchObject([FINE]);
});

test("a robots.txt is cached for an hour, or for five minutes if it could not be read", async () => {
  const clock = new TestClock();
  const own = createPageReader({ ...FAST, clock });
  const check = async () => (await own.check([web.url("/", "h42.example")], clock.now() + 5_000))[0];
  robots = (_, res) => says("", 503)(res);
  expect(await check()).toMatchObject(UNREACHED);
  robots = (_, res) => says(NO)(res);
  expect(await check()).toMatchObject(UNREACHED);
  clock.pass(5 * MINUTE);
  expect(await check()).toMatchObject(DISALLOWED);
  robots = (_, res) => says("")(res);
  clock.pass(HOUR - 1);
  expect(await check()).toMatchObject(DISALLOWED);
  clock.pass(1);
  expect(await check()).toMatchObject(FINE);
});

/** Answers each robots.txt with a file, without a network. */
function memoryRobots(file: string, { status = 200, fault = null as Error | null } = {}) {
  const requests: { readonly url: string; readonly accept: string | undefined }[] = [];
  let discarded = 0;
  const fetchPublic: HttpClient["fetchPublic"] = async (url, { accept }) => {
    requests.push({ url, accept });
    if (fault) throw fault;
    async function* body() {
      yield Buffer.from(file);
    }
    const discard = () => {
      discarded += 1;
    };
    return { url, status, headers: {}, headerLines: () => [], body: body(), discard };
  };
  const http = { fetchPublic } as HttpClient;
  const robots = new Robots(http, new HostThrottle({ ...PACE, gapMs: 0 }), new TestClock());
  const of = (host: string) => robots.of(new URL(`https://${host}/`));
  return { requests, of, discarded: () => discarded };
}

test("law: files of many rules do not fill the memory: each counts for its text and its rules", async () => {
  const { requests, of } = memoryRobots(`User-agent: *\n${"Allow:/\n".repeat(60_000)}`);
  for (const host of ["a.example", "a.example", "b.example", "a.example"]) await of(host);
  expect(requests.map(({ url }) => new URL(url).hostname)).toEqual(["a.example", "b.example", "a.example"]);
});

test("text is asked for; what is no file is discarded unread", async () => {
  const { requests, of, discarded } = memoryRobots("", { status: 404 });
  expect((await of("a.example")).isReached).toBe(true);
  expect([requests, discarded()]).toEqual([
    [{ url: "https://a.example/robots.txt", accept: "text/plain,*/*;q=0.5" }],
    1,
  ]);
});

test("an error that is no failure of a request is not taken for an unreachable file", async () => {
  await expect(memoryRobots("", { fault: new Error("a fault") }).of("a.example")).rejects.toThrow("a fault");
});

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { collectSitemap } from "../../../../src/indexing/sitemap/collect.ts";
import { sitemapIndex, urlset } from "../../../support/network/sitemap-server.ts";
import { collecting } from "../../../support/sitemap/collecting.ts";

const { site, http, newPath, serve, stall, collect } = await collecting();

const pages = (name: string, count = 2) => Array.from({ length: count }, (_, i) => `https://example.com/${name}/${i}`);
const whole = { sitemapsFailed: 0, failedSitemaps: [], cutShort: false, timedOut: false };

const two = urlset(pages("a"));
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

test.each<[string, string | Buffer, Record<string, string>]>([
  ["plain", two, {}],
  ["gzip, without Content-Encoding", gzipSync(two), { "Content-Type": "application/octet-stream" }],
  ["gzip, with Content-Encoding", gzipSync(two), { "Content-Encoding": "gzip" }],
  ["gzip twice: as a file, and by Content-Encoding", gzipSync(gzipSync(two)), { "Content-Encoding": "gzip" }],
  ["brotli", brotliCompressSync(two), { "Content-Encoding": "br" }],
  ["zstd, and then gzip", gzipSync(zstdCompressSync(two)), { "Content-Encoding": "zstd, gzip" }],
  ["deflate without its header", deflateRawSync(two), { "Content-Encoding": "deflate" }],
  ["gzip as a file, by deflate", deflateSync(gzipSync(two)), { "Content-Encoding": "deflate" }],
  ["with a Content-Encoding that is none", two, { "Content-Encoding": "UTF-8" }],
  ["gzip, under a Content-Encoding that is none", gzipSync(two), { "Content-Encoding": "aws-chunked" }],
  ["UTF-16", utf16(two), {}],
  ["with a Content-Type that is wrong", two, { "Content-Type": "text/html" }],
])("a urlset: %s", async (_, body, headers) => {
  expect(await collect(serve(body, headers))).toEqual({
    ...whole,
    format: "urlset",
    sitemapsRead: 1,
    addresses: pages("a"),
  });
});

test("a text file of 20 MB is read", async () => {
  const lines = pages("a-page-with-a-long-name".repeat(4), 170_000);
  const body = lines.join("\n");
  expect(body.length).toBeGreaterThan(20_000_000);
  const { addresses, ...summary } = await collect(serve(body, { "Content-Type": "text/plain" }));
  expect(summary).toEqual({ ...whole, format: "text", sitemapsRead: 1 });
  expect(addresses).toEqual(lines);
});

test("a redirect is followed, also to another host", async () => {
  const target = serve(two).replace("127.0.0.1", "127.0.0.2");
  const url = serve((res) => res.writeHead(301, { Location: target }).end());
  // Nothing listens there: that it was tried is all there is to see.
  await expect(collect(url)).rejects.toMatchObject({ fields: { reason: "unreachable" } });
  const here = serve((res) => res.writeHead(307, { Location: target.replace("127.0.0.2", "127.0.0.1") }).end());
  expect((await collect(here)).addresses).toEqual(pages("a"));
});

test("an index: its sitemaps are reported in its order, in whatever order they arrive", async () => {
  const late: (() => void)[] = [];
  const names = ["a", "b", "c", "d", "e", "f"];
  const children = names.map((name) =>
    serve((res) => {
      // The first is answered when the fourth has been; the others at once.
      const answer = () => res.end(urlset(pages(name)));
      if (name === "a") late.push(answer);
      else answer();
      if (name === "d") for (const one of late.splice(0)) setTimeout(one, 20);
    }),
  );
  const outcome = await collect(serve(sitemapIndex(children)));
  const addresses = names.flatMap((name) => pages(name));
  expect(outcome).toEqual({ ...whole, format: "index", sitemapsRead: 6, addresses });
});

test("an index: four sitemaps are fetched at a time, each once", async () => {
  let running = 0;
  let most = 0;
  const children = pages("x", 20).map((_, index) =>
    serve((res) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running -= 1;
        res.end(urlset(pages(String(index), 1)));
      }, 5);
    }),
  );
  const outcome = await collect(serve(sitemapIndex([...children, ...children])));
  expect(outcome.sitemapsRead).toBe(20);
  expect(outcome.addresses).toHaveLength(20);
  expect(most).toBe(4);
  expect(children.map((url) => site.hits(new URL(url).pathname))).toEqual(Array(20).fill(1));
});

test("an index: failed sitemaps are told in words of ours, and the rest is read", async () => {
  const broken = `${urlset(pages("broken", 5)).slice(0, -30)}<`;
  const self = newPath();
  const children = [
    serve(two),
    `${site.url}/nothing-here.xml`,
    serve(broken),
    serve("<!DOCTYPE html><html><body>Sign in</body></html>"),
    serve(sitemapIndex([serve(two)])),
    `${site.url}${self}#again`,
    "/relative.xml",
    "",
    "http://10.0.0.1/sitemap.xml",
    serve((res) => res.writeHead(302, { Location: `${site.url}${self}` }).end()),
    serve(urlset(pages("b"))),
  ];
  const { host } = new URL(site.url);
  const url = site.serve(self, sitemapIndex(children));
  expect(await collect(url)).toEqual({
    format: "index",
    sitemapsRead: 2,
    sitemapsFailed: 9,
    failedSitemaps: [
      [1, `Entry 2 of the index (${host}): The sitemap could not be fetched: its server answered with status 404.`],
      [2, expect.stringMatching(/^Entry 3 .*well-formed/)],
      [3, `Entry 4 of the index (${host}): The document is not a sitemap that can be read: it is a web page in HTML.`],
      [4, expect.stringMatching(/^Entry 5 .*: It is an index itself, and an index must not list another index/)],
      [5, "Entry 6 of the index is the address of the index itself."],
      [6, "Entry 7 of the index is no address: it does not begin with a scheme."],
      [7, "Entry 8 of the index is no address: it is empty."],
      [8, "Entry 9 of the index (10.0.0.1): The sitemap could not be fetched: its address is not public."],
      [9, expect.stringMatching(/^Entry 10 .*: It is an index itself/)],
    ].map(([position, words]) => ({ position, words })),
    cutShort: false,
    timedOut: false,
    addresses: [...pages("a"), ...pages("b")],
  });
});

test.each([
  ["HTML", "<!doctype html><html>"],
  ["in an unknown encoding", '<?xml version="1.0" encoding="x-nope"?><urlset>'],
])("an index: large documents that are refused at their first bytes do not delay the others: %s", async (_, begin) => {
  const large = Buffer.from(begin + " ".repeat(4 * 1024 * 1024));
  const bad = Array.from({ length: 8 }, () => serve(large));
  const index = serve(sitemapIndex([...bad, serve(two)]));
  expect(await collect(index)).toMatchObject({ sitemapsRead: 1, sitemapsFailed: 8, addresses: pages("a") });
});

test("an index: of many failures ten are told, and all are counted", async () => {
  const outcome = await collect(serve(sitemapIndex([serve(two), ...Array.from({ length: 12 }, (_, i) => `/no-${i}`)])));
  expect([outcome.sitemapsFailed, outcome.failedSitemaps.length]).toEqual([12, 10]);
});

describe("a server that is busy", () => {
  const SOON = { leastPauseMs: 5 };
  /** Answers so with this status at first, and then with pages. */
  const busy = (times: number, status: number, after?: string) => {
    let left = times;
    return serve((res) => {
      if (left-- <= 0) res.end(two);
      else res.writeHead(status, after === undefined ? {} : { "Retry-After": after }).end("later");
    });
  };
  const hits = (url: string) => site.hits(new URL(url).pathname);

  test.each([
    [429, "0", 1],
    [503, "0", 3],
    [429, "0, 7", 1],
    [503, new Date(0).toUTCString(), 2],
  ])("%i, Retry-After: %s: the document is requested again", async (status, after, times) => {
    const child = busy(times, status, after);
    const outcome = await collect(serve(sitemapIndex([child, serve(urlset(pages("b")))])), SOON);
    expect(outcome).toMatchObject({ sitemapsRead: 2, sitemapsFailed: 0, addresses: [...pages("a"), ...pages("b")] });
    expect(hits(child)).toBe(times + 1);
    expect((await collect(busy(times, status, after), SOON)).addresses).toEqual(pages("a"));
  });

  test.each([
    ["says nothing", 1, 503, undefined, 1],
    ["says nothing that can be read", 1, 429, "soon", 1],
    ["asks for more time than the call has", 1, 429, "121", 1],
    ["asks for more than three times", 9, 429, "0", 4],
    ["fails otherwise", 1, 500, "0", 1],
  ] as const)("if it %s, the document has failed", async (_, times, status, after, requests) => {
    const child = busy(times, status, after);
    const outcome = await collect(serve(sitemapIndex([child, serve(urlset(pages("b")))])), SOON);
    expect(outcome).toMatchObject({ sitemapsRead: 1, sitemapsFailed: 1, addresses: pages("b") });
    expect(outcome.failedSitemaps[0]!.words).toContain(`status ${status}`);
    expect(hits(child)).toBe(requests);
  });

  test("the pause ends when the caller leaves", async () => {
    const stop = new AbortController();
    const url = serve((res) => {
      res.writeHead(429, { "Retry-After": "60" }).end();
      setTimeout(() => stop.abort(), 5);
    });
    const stopped = collectSitemap({ http, signal: stop.signal }, url, () => true);
    await expect(stopped).rejects.toMatchObject({ name: "Refusal" });
  });
});

test("an index without sitemaps has no pages", async () => {
  expect(await collect(serve(sitemapIndex([])))).toEqual({ ...whole, format: "index", sitemapsRead: 0, addresses: [] });
});

test.each<[string, () => string[], string, RegExp]>([
  ["is not there", () => [`${site.url}/no.xml`, serve("<x/>")], "sitemap_unreachable", /None of the 2 .* 404/],
  ["is no sitemap", () => [serve("<x/>")], "sitemap_invalid", /The sitemap it lists is not readable.* root element/],
  ["is an index", () => [serve(sitemapIndex([]))], "sitemap_invalid", /must not list another index/],
  ["is relative", () => ["/a.xml", ""], "sitemap_invalid", /None of the 2 .* no other address/],
])("an index whose sitemaps all fail is refused for the first that %s", async (_, children, code, message) => {
  const refusal = await collect(serve(sitemapIndex(children()))).catch((thrown) => thrown);
  expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) });
});

test("reading ends early at the limit of sitemaps in an index", async () => {
  const children = ["a", "b", "c"].map((name) => serve(urlset(pages(name))));
  const outcome = await collect(serve(sitemapIndex(children)), { children: 2 });
  expect(outcome).toMatchObject({ sitemapsRead: 2, cutShort: true, addresses: [...pages("a"), ...pages("b")] });
  const third = new URL(children[2]!).pathname;
  expect(site.hits(third)).toBe(0);
});

test("reading ends early at the limit of bytes of all documents", async () => {
  const children = ["a", "b", "c", "d"].map((name) => serve(gzipSync(urlset(pages(name, 1_000)))));
  const index = sitemapIndex(children);
  const totalBytes = index.length + 2.5 * urlset(pages("a", 1_000)).length;
  const outcome = await collect(serve(index), { totalBytes });
  expect(outcome).toMatchObject({ sitemapsRead: 2, sitemapsFailed: 0, cutShort: true });
  expect(outcome.addresses).toEqual([...pages("a", 1_000), ...pages("b", 1_000)]);
});

test("reading ends early at the time limit of all documents", async () => {
  const stuck = serve(stall(" "));
  const children = [serve(two), stuck, serve(urlset(pages("b")))];
  const outcome = await collect(serve(sitemapIndex(children)), { totalMs: 1_000 });
  expect(outcome).toMatchObject({ sitemapsRead: 1, sitemapsFailed: 0, cutShort: true, addresses: pages("a") });
});

test("reading ends early when the caller has enough addresses", async () => {
  const children = ["a", "b", "c"].map((name) => serve(urlset(pages(name))));
  const outcome = await collect(serve(sitemapIndex(children)), {}, 3);
  expect(outcome).toMatchObject({ sitemapsRead: 2, cutShort: true, addresses: [...pages("a"), ...pages("b", 1)] });
});

test("a sitemap of an index that is too slow has failed, and the others are read", async () => {
  const slow = serve(stall(" "));
  const outcome = await collect(serve(sitemapIndex([slow, serve(two)])), { documentMs: 800 });
  expect(outcome).toMatchObject({ sitemapsRead: 1, sitemapsFailed: 1, cutShort: false, addresses: pages("a") });
});

test("an error in our code is thrown, and not treated as a fault of the sitemap", async () => {
  const failing = { ...http, fetchPublic: async () => Promise.reject(new Error("out of file descriptors")) };
  await expect(collectSitemap({ http: failing }, `${site.url}/1.xml`, () => true)).rejects.toThrow(
    "out of file descriptors",
  );
});

import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CollectLimits } from "../../../../src/indexing/sitemap/collect-context.ts";
import { cpuClock } from "../../../support/checks/cpu-time.ts";
import { urlset } from "../../../support/network/sitemap-server.ts";
import { collecting } from "../../../support/sitemap/collecting.ts";

const { site, newPath, serve, stall, collect } = await collecting();
const two = urlset(["https://example.com/a/0", "https://example.com/a/1"]);

const SECRET = "attack-at-dawn";
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20), { level: 1 });
const entities = `<!DOCTYPE urlset [<!ENTITY a "${SECRET}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
const external = '<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
const large = Buffer.from(`https://example.com/${"x".repeat(39)}\n`.repeat(900_000));
const tag = gzipSync(`<urlset><url a="${"x".repeat(50_000_000)}"/></urlset>`, { level: 1 });

test.each<[string, () => string, Partial<CollectLimits>, string, string | undefined]>([
  ["404", () => `${site.url}/missing.xml`, {}, "sitemap_unreachable", "http_404"],
  [
    "429, whatever it says of later",
    () => serve((res) => res.writeHead(429, { "Retry-After": SECRET }).end(SECRET)),
    {},
    "sitemap_unreachable",
    "http_429",
  ],
  ["204", () => serve((res) => res.writeHead(204).end()), {}, "sitemap_unreachable", "http_204"],
  [
    "a redirect to a private address",
    () => serve((res) => res.writeHead(302, { Location: `http://169.254.169.254/${SECRET}` }).end()),
    {},
    "sitemap_unreachable",
    "not_public",
  ],
  ["a private address", () => "http://10.0.0.1/sitemap.xml", {}, "sitemap_unreachable", "not_public"],
  ["a port of another service", () => "http://127.0.0.1:22/sitemap.xml", {}, "sitemap_unreachable", "not_public"],
  ["a local name", () => "http://printer.local/sitemap.xml", {}, "sitemap_unreachable", "not_public"],
  ["user and password", () => `http://${SECRET}:pw@example.com/`, {}, "sitemap_unreachable", "bad_url"],
  [
    "redirects without an end",
    () => {
      const path = newPath();
      return site.serve(path, (res) => res.writeHead(302, { Location: path, "X-Secret": SECRET }).end());
    },
    {},
    "sitemap_unreachable",
    "too_many_redirects",
  ],
  [
    "a redirect to nowhere",
    () => serve((res) => res.writeHead(302, { Location: `http://[${SECRET}` }).end()),
    {},
    "sitemap_unreachable",
    "unreachable",
  ],
  ["no answer", () => serve((res) => res.destroy()), {}, "sitemap_unreachable", "unreachable"],
  ["an answer that does not come", () => serve(stall()), { documentMs: 200 }, "sitemap_unreachable", "timeout"],
  [
    "a document that does not end",
    () => serve(stall(`<urlset><!-- ${SECRET}`)),
    { totalMs: 200 },
    "sitemap_unreachable",
    "timeout",
  ],
  ["a web page", () => serve(`<!doctype html>\n<title>${SECRET}</title>`), {}, "sitemap_invalid", undefined],
  ["an entity bomb", () => serve(`${entities}${two}`), {}, "sitemap_invalid", undefined],
  ["an external entity", () => serve(`${external}<urlset>&a;</urlset>`), {}, "sitemap_invalid", undefined],
  ["another root element", () => serve(`<${SECRET}/>`), {}, "sitemap_invalid", undefined],
  ["another namespace", () => serve(two.replace("sitemaps.org", SECRET)), {}, "sitemap_invalid", undefined],
  ["JSON", () => serve(`{"error":"${SECRET}"}`), {}, "sitemap_invalid", undefined],
  ["nothing", () => serve(""), {}, "sitemap_invalid", undefined],
  ["a document that is cut off", () => serve(two.slice(0, -20)), {}, "sitemap_invalid", undefined],
  ["one tag of 50 MB", () => serve(tag), {}, "sitemap_invalid", undefined],
  ["a bomb of 200 MB", () => serve(bomb), {}, "sitemap_invalid", undefined],
  ["a bomb by Content-Encoding", () => serve(bomb, { "Content-Encoding": "gzip" }), {}, "sitemap_invalid", undefined],
  [
    "a coding that cannot be undone",
    () => serve(two, { "Content-Encoding": "compress" }),
    {},
    "sitemap_invalid",
    undefined,
  ],
  ["gzip that is cut off", () => serve(gzipSync(two).subarray(0, -9)), {}, "sitemap_invalid", undefined],
  [
    "gzip that is cut off, by Content-Encoding",
    () => serve(gzipSync(two).subarray(0, -9), { "Content-Encoding": "gzip" }),
    {},
    "sitemap_invalid",
    undefined,
  ],
  ["54 MB of text", () => serve(large), {}, "sitemap_invalid", undefined],
])("refused in our own words, in bounded time and memory: %s", async (_, url, limits, code, reason) => {
  const address = url();
  const memory = process.memoryUsage().rss;
  const cpuMs = cpuClock();
  const refusal = await collect(address, limits).catch((thrown) => thrown);
  expect(cpuMs()).toBeLessThan(10_000);
  expect(process.memoryUsage().rss - memory).toBeLessThan(250 * 1024 * 1024);
  expect(refusal).toMatchObject({ name: "Refusal", code });
  expect(refusal.fields.reason).toBe(reason);
  expect(refusal.message).toMatch(/^The .*\.$/);
  expect(JSON.stringify([refusal.message, refusal.fields, refusal.headers])).not.toContain(SECRET);
});

test.each<[string, (res: ServerResponse) => void, string, string | undefined, RegExp]>([
  [
    "headers of 20 KB",
    (res) => void res.writeHead(200, { "X-Long": SECRET.repeat(2_000) }).end(two),
    "sitemap_unreachable",
    "headers_too_large",
    /could not be fetched: the headers of its server's answer are too large/,
  ],
  [
    "a length and chunks",
    (res) =>
      void res.socket!.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\nX: ${SECRET}\r\n\r\n`,
      ),
    "sitemap_unreachable",
    "length",
    /its server's answer is not as long as its Content-Length or Transfer-Encoding say/,
  ],
  [
    "a chunk without a size",
    (res) => void res.socket!.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${SECRET}\r\n`),
    "sitemap_invalid",
    undefined,
    /the chunks of its server's answer are broken/,
  ],
  [
    "less than it says",
    (res) => void res.socket!.end(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<urlset>${SECRET}`),
    "sitemap_invalid",
    undefined,
    /its server's answer (?:ended before|is not as long as)/,
  ],
  [
    "text that calls itself brotli",
    (res) => void res.writeHead(200, { "Content-Encoding": "br" }).end(SECRET),
    "sitemap_invalid",
    undefined,
    /the compression of its server's answer is broken/,
  ],
])("the refusal names what is wrong, in our own words: %s", async (_, answer, code, reason, words) => {
  const refusal = await collect(serve(answer)).catch((thrown) => thrown);
  expect(refusal).toMatchObject({ code, message: expect.stringMatching(words) });
  expect(refusal.fields.reason).toBe(reason);
  expect(JSON.stringify([refusal.message, refusal.fields])).not.toContain(SECRET);
});

import type { ServerResponse } from "node:http";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPageReader } from "../../../../src/indexing/preflight/reader.ts";
import { PAGE_WARNINGS } from "../../../../src/indexing/preflight/warnings.ts";
import { realClock, startWeb } from "../../../support/website/web.ts";

type Headers = Readonly<Record<string, string>>;
type Route = (res: ServerResponse) => void;

/** By path; each answers as often as it is asked, lists in their order. */
const routes = new Map<string, Route[]>();
const web = await startWeb((req, res) => {
  const list = routes.get(req.url!) ?? [status(404)];
  const route = list.length > 1 ? list.shift()! : list[0]!;
  route(res);
});
const reader = createPageReader({
  http: web.http,
  clock: realClock,
  pace: { gapMs: 0 },
  pageMs: 500,
  recheckMs: 30,
});

function html(head: string, { body = "", headers = {} }: { body?: string; headers?: Headers } = {}): Route {
  const text = `<!doctype html><html><head><title>Page</title>${head}</head><body>${body}</body></html>`;
  return (res) => void res.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...headers }).end(text);
}

function status(code: number, headers: Headers = {}, text: string | Buffer = ""): Route {
  return (res) => void res.writeHead(code, headers).end(text);
}

const to = (location: string, code = 302) => status(code, { Location: location });
const tagged = (value: string | string[]): Route => {
  return (res) => {
    res.setHeader("X-Robots-Tag", value);
    res.writeHead(200, { "Content-Type": "text/html" }).end("<title>Page</title>");
  };
};
const NOINDEX = '<meta name="robots" content="noindex">';
const typed = (type: string | string[]): Route => {
  return (res) => void res.setHeader("Content-Type", type).writeHead(200).end(NOINDEX);
};
const body = (bytes: string | Buffer, type = "text/html", headers: Headers = {}) =>
  status(200, { "Content-Type": type, ...headers }, bytes);
const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
const inside = `http://inside.example:${web.port}/`;
const canonical = (path: string) => `<link rel="canonical" href="${path}">`;

const FINE: [refusal: string | null, ...warnings: string[]] = [null];
const CASES: readonly (readonly [
  name: string,
  route: Route | Route[],
  expected: readonly [string | null, ...string[]],
])[] = [
  ["a page", html(""), FINE],
  ["an empty page", status(204), FINE],
  ["no Content-Type", (res) => void res.writeHead(200).end(NOINDEX), ["noindex"]],
  ["404 twice", status(404), ["http_404"]],
  ["410 twice", status(410), ["http_410"]],
  ["404, then 410", [status(404), status(410)], ["http_410"]],
  ["404, then there", [status(404), html("")], FINE],
  ["404, then noindex", [status(404), html(NOINDEX)], ["noindex"]],
  ["404, then 503", [status(404), status(503)], [null, "http_404", "http_5xx"]],
  ["a redirect to a 404", to("/nowhere-at-all"), ["http_404"]],
  ["401", status(401), [null, "http_401"]],
  ["403", status(403), [null, "http_403"]],
  ["403 whose page says noindex", status(403, { "Content-Type": "text/html" }, NOINDEX), [null, "http_403"]],
  ["403 with a header noindex", status(403, { "X-Robots-Tag": "noindex" }), [null, "http_403"]],
  ["451", status(451), [null, "http_403"]],
  ["999", status(999), [null, "http_403"]],
  ["408", status(408), [null, "timeout"]],
  ["500", status(500), [null, "http_5xx"]],
  ["503 whose page says noindex", status(503, { "Content-Type": "text/html" }, NOINDEX), [null, "http_5xx"]],
  ["304 to nobody's question", status(304), [null, "unreachable"]],
  ["300 without a choice", status(300), [null, "redirects"]],
  ["a redirect without a target", status(301), [null, "unreachable"]],
  ["meta robots noindex", html(NOINDEX), ["noindex"]],
  ["meta robots none", html('<meta name="robots" content="none">'), ["noindex"]],
  ["meta googlebot noindex", html('<meta name="googlebot" content="noindex">'), ["noindex"]],
  ["meta in capitals, content first", html('<META CONTENT=" NOFOLLOW , NoIndex " NAME=" Robots ">'), ["noindex"]],
  ["meta without quotes", html("<meta name=robots content=noindex>"), ["noindex"]],
  ["meta with words for commas", html('<meta name="robots" content="noindex nofollow">'), ["noindex"]],
  ["two metas, the stricter one holds", html(`<meta name="googlebot" content="index">${NOINDEX}`), ["noindex"]],
  ["meta index, follow", html('<meta name="robots" content="index, follow">'), FINE],
  ["meta max-image-preview: none", html('<meta name="robots" content="max-image-preview: none">'), FINE],
  ["meta max-image-preview:none", html('<meta name="robots" content="follow,max-image-preview:none">'), FINE],
  ["meta noindexed", html('<meta name="robots" content="noindexed">'), FINE],
  ["meta of another search", html('<meta name="bingbot" content="noindex">'), [null, "agents_kept_out"]],
  ["meta of another robot", html('<meta name="otherbot" content="noindex">'), FINE],
  ["meta of Google News alone", html('<meta name="googlebot-news" content="noindex">'), FINE],
  ["meta that is no robots rule", html('<meta name="description" content="noindex">'), FINE],
  ["meta in a comment", html(`<!-- ${NOINDEX} -->`), FINE],
  ["meta in a script", html(`<script>const x = '${NOINDEX}';</script>`), FINE],
  ["meta in a noscript", html(`<noscript>${NOINDEX}</noscript>`), FINE],
  ["meta behind a noscript", html(`<noscript><img src=x></noscript>${NOINDEX}`), ["noindex"]],
  ["meta in a template", html(`<template>${NOINDEX}</template>`), FINE],
  ["meta in what visitors wrote", html("", { body: NOINDEX }), FINE],
  ["meta in a title", html(`</title><title>${NOINDEX}</title>`), FINE],
  ["meta in plain text", status(200, { "Content-Type": "text/plain" }, NOINDEX), FINE],
  ["meta in XHTML", status(200, { "Content-Type": "application/xhtml+xml" }, NOINDEX), ["noindex"]],
  ["meta behind half a megabyte", html(`<!--${"x".repeat(520 * 1024)}-->${NOINDEX}`), FINE],
  ["header noindex", tagged("noindex"), ["noindex"]],
  ["header none", tagged("none"), ["noindex"]],
  [
    "header noindex of a file",
    status(200, { "Content-Type": "application/pdf", "X-Robots-Tag": "noindex" }),
    ["noindex"],
  ],
  ["header googlebot: noindex", tagged("googlebot: noindex"), ["noindex"]],
  ["header otherbot: noindex", tagged("otherbot: noindex, nofollow"), FINE],
  ["header of two robots", tagged(["otherbot: nofollow", "googlebot: noindex"]), ["noindex"]],
  ["header for all, then of another robot", tagged(["noindex", "otherbot: nofollow"]), ["noindex"]],
  ["header of another robot, then for all", tagged(["otherbot: nofollow", "noindex"]), ["noindex"]],
  ["header unavailable_after that has passed", tagged("unavailable_after: 25 Jun 2010 15:00:00 PST"), ["noindex"]],
  [
    "meta unavailable_after that has passed",
    html('<meta name="robots" content="unavailable_after: 2020-09-21">'),
    ["noindex"],
  ],
  ["text/html, then text/plain", typed(["text/html", "text/plain"]), FINE],
  ["text/plain, then text/html", typed(["text/plain", "text/html; charset=utf-8"]), ["noindex"]],
  ["two types in one line", typed("text/plain, text/html"), ["noindex"]],
  ["a type that is none after text/html", typed(["text/html", "html"]), ["noindex"]],
  ["any type after text/html", typed(["text/html", "*/*"]), ["noindex"]],
  ["a type that is none", typed("html"), ["noindex"]],
  ["UTF-16 with a byte order mark", body(Buffer.from(`\uFEFF${NOINDEX}`, "utf16le")), ["noindex"]],
  ["UTF-16, big endian", body(Buffer.from(`\uFEFF${NOINDEX}`, "utf16le").swap16()), ["noindex"]],
  ["UTF-16 by the header", body(Buffer.from(NOINDEX, "utf16le"), "text/html; charset=UTF-16LE"), ["noindex"]],
  ["UTF-16 that nothing says", body(Buffer.from(NOINDEX, "utf16le")), ["noindex"]],
  ["a byte order mark of UTF-8", body(`\uFEFF${NOINDEX}`), ["noindex"]],
  [
    "UTF-16 in gzip",
    body(gzipSync(Buffer.from(`\uFEFF${NOINDEX}`, "utf16le")), "text/html", { "Content-Encoding": "gzip" }),
    ["noindex"],
  ],
  [
    "a canonical of its own in the encoding of meta",
    body(Buffer.from(`<meta charset=latin1>${canonical("?é")}`, "latin1")),
    [null, "canonical_elsewhere"],
  ],
  ["header unavailable_after", tagged("unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT"), FINE],
  ["header unavailable_after, noindex", tagged("unavailable_after: 25 Jun 2031 15:00:00 GMT, noindex"), ["noindex"]],
  ["a canonical of its own", html(canonical("?")), FINE],
  ["a canonical elsewhere", html(canonical("/another-page")), [null, "canonical_elsewhere"]],
  ["a canonical on another host", html(canonical("https://other.example/")), [null, "canonical_elsewhere"]],
  [
    "a canonical among others in rel",
    html('<link rel="alternate Canonical" href="/x">'),
    [null, "canonical_elsewhere"],
  ],
  ["an empty canonical", html('<link rel="canonical" href=" ">'), FINE],
  ["a canonical that is no address", html(canonical("http://[")), FINE],
  [
    "a canonical in another encoding",
    status(200, { "Content-Type": "text/html" }, Buffer.from(canonical("/caf\u00e9"), "latin1")),
    FINE,
  ],
  ["a canonical in the body", html("", { body: canonical("/another-page") }), FINE],
  ["a canonical seen from a base", html(`<base href="/folder/">${canonical("?")}`), [null, "canonical_elsewhere"]],
  ["an alternate", html('<link rel="alternate" href="/another-page">'), FINE],
  [
    "header canonical elsewhere",
    html("", { headers: { Link: '</x>; rel="canonical"' } }),
    [null, "canonical_elsewhere"],
  ],
  ["header preload", html("", { headers: { Link: "</x>; rel=preload; as=style" } }), FINE],
  [
    "header with two links",
    html("", { headers: { Link: "</a,b>; rel=next, </x>; rel=canonical" } }),
    [null, "canonical_elsewhere"],
  ],
  ["a redirect to another page", to("/case/0"), [null, "redirects"]],
  ["a redirect to another page with noindex", to("/noindex"), [null, "redirects"]],
  ["a redirect to another page with a canonical", to("/canonical"), [null, "redirects"]],
  ["a redirect to another page with 403", to("/403"), [null, "redirects", "http_403"]],
  ["meta refresh of 0 seconds", html(refresh("0; url=/another-page")), [null, "redirects"]],
  ["meta refresh of 0 seconds to another host", html(refresh("0;URL='https://other.example/'")), [null, "redirects"]],
  ["meta refresh seen from a base", html(`<base href="/folder/">${refresh("0;url=?")}`), [null, "redirects"]],
  ["meta refresh to itself", html(refresh("0; url=?utm_source=x")), FINE],
  ["meta refresh without a target", html(refresh("0")), FINE],
  ["meta refresh of 5 seconds", html(refresh("5; url=/another-page")), FINE],
  ["meta refresh in the body", html("", { body: refresh("0; url=/another-page") }), FINE],
  ["meta refresh to a program", html(refresh("0; url=mailto:someone@example.com")), FINE],
  ["meta refresh and noindex", html(`${refresh("0; url=/another-page")}${NOINDEX}`), ["noindex"]],
  ["meta refresh and a canonical", html(`${refresh("0; url=/a")}${canonical("/a")}`), [null, "redirects"]],
  ["header Refresh of 0 seconds", html("", { headers: { Refresh: "0; url=/another-page" } }), [null, "redirects"]],
  ["header Refresh of 5 seconds", html("", { headers: { Refresh: "5; url=/another-page" } }), FINE],
  [
    "header Refresh of a file",
    status(200, { "Content-Type": "application/pdf", Refresh: "0; url=/another-page" }),
    [null, "redirects"],
  ],
  ["redirects without end", to("?again"), [null, "redirects"]],
  ["a redirect into our network", to(inside), [null, "unreachable"]],
  ["a redirect to something that is no page", to("mailto:someone"), [null, "unreachable"]],
  ["gzip", status(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }), FINE],
  [
    "broken gzip",
    (res) => void res.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }).end("no"),
    [null, "unreachable"],
  ],
  [
    "noindex in gzip",
    (res) =>
      void res.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }).end(gzipSync(NOINDEX)),
    ["noindex"],
  ],
  [
    "noindex in deflate without its header",
    (res) =>
      void res
        .writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "deflate" })
        .end(deflateRawSync(NOINDEX)),
    ["noindex"],
  ],
  [
    "noindex under a coding that is none",
    (res) => void res.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "none" }).end(NOINDEX),
    ["noindex"],
  ],
  ["broken brotli", status(200, { "Content-Type": "text/html", "Content-Encoding": "br" }, "x"), [null, "unreachable"]],
  ["no answer", () => undefined, [null, "timeout"]],
  ["a connection cut", (res) => void res.destroy(), [null, "unreachable"]],
  [
    "a body that stops",
    (res) => void res.writeHead(200, { "Content-Type": "text/html" }).write("<title>"),
    [null, "timeout"],
  ],
  [
    "a body that stops behind noindex",
    (res) => void res.writeHead(200, { "Content-Type": "text/html" }).write(NOINDEX),
    ["noindex"],
  ],
];

routes.set("/robots.txt", [status(404)]);
routes.set("/noindex", [html(NOINDEX)]);
routes.set("/canonical", [html(canonical("/another-page"))]);
routes.set("/403", [status(403)]);
for (const [index, [, route]] of CASES.entries()) {
  routes.set(`/case/${index}`, [route].flat());
  routes.set(`/case/${index}?again`, [route].flat());
}

test.each(CASES.map(([name, , expected], index) => [name, expected, index] as const))(
  "%s: %j",
  async (_, [refusal, ...warnings], index) => {
    const [report] = await reader.check([web.url(`/case/${index}`)], Date.now() + 5_000);
    expect(report).toMatchObject({ refusal, warnings });
  },
);

test("host_not_public: a host in an internal network, by name or by address, at any port", async () => {
  const urls = [
    inside,
    "http://127.0.0.1/",
    "http://10.0.0.1:8080/",
    "http://[::1]/",
    "http://printer/",
    "http://a.local/",
  ];
  const before = web.requests.length;
  const reports = await reader.check(urls, Date.now() + 5_000);
  expect(reports).toMatchObject(urls.map(() => ({ refusal: "host_not_public", warnings: [] })));
  expect(web.requests.length).toBe(before);
});

test("unreachable: a port that is blocked here, which does not count against the host", async () => {
  const [report] = await reader.check(["http://site.example:9/"], Date.now() + 5_000);
  expect(report).toMatchObject({ refusal: null, warnings: ["unreachable"] });
});

test("unresolved: the host has no address", async () => {
  const [report] = await reader.check(["http://nowhere.example/"], Date.now() + 5_000);
  expect(report).toMatchObject({ refusal: null, warnings: ["unresolved"] });
});

test("a redirect to the same page under another spelling does not count as one, so its noindex refuses", async () => {
  routes.set("/spelt?a=1&b=2", [to("/spelt?b=2&a=1&utm_source=x")]);
  routes.set("/spelt?b=2&a=1&utm_source=x", [html(NOINDEX)]);
  const [report] = await reader.check([web.url("/spelt?a=1&b=2")], Date.now() + 5_000);
  expect(report).toMatchObject({ refusal: "noindex", warnings: [] });
});

test("a page that is missing is requested again after `recheckMs`", async () => {
  const slow = createPageReader({ http: web.http, clock: realClock, pace: { gapMs: 0 }, recheckMs: 150 });
  await slow.check([web.url("/missing")], Date.now() + 5_000);
  const [first, second] = web.requests.filter(({ path }) => path === "/missing");
  expect(second!.from - first!.from).toBeGreaterThanOrEqual(149);
});

test("http_404 as a warning: there is no time for a second request", async () => {
  const slow = createPageReader({ http: web.http, clock: realClock, pace: { gapMs: 0 }, recheckMs: 50_000 });
  const from = performance.now();
  const [report] = await slow.check([web.url("/missing-once")], Date.now() + 20_000);
  expect(report).toMatchObject({ refusal: null, warnings: ["http_404"] });
  // It waited neither for its deadline nor for the second request.
  expect(performance.now() - from).toBeLessThan(10_000);
  expect(web.requests.filter(({ path }) => path === "/missing-once")).toHaveLength(1);
});

test("reports are in the order of the URLs, and an empty list has none", async () => {
  const urls = [web.url("/noindex"), web.url("/case/0"), "http://127.0.0.1/", web.url("/403"), web.url("/canonical")];
  const reports = await reader.check(urls, Date.now() + 5_000);
  expect(reports.map(({ refusal, warnings }) => refusal ?? warnings.join())).toEqual([
    "noindex",
    "",
    "host_not_public",
    "http_403",
    "canonical_elsewhere",
  ]);
  expect(await reader.check([], Date.now() + 5_000)).toEqual([]);
});

test("law: every warning is a row of the table, in lower snake case, with a sentence; each of them occurs here", () => {
  const words = Object.keys(PAGE_WARNINGS);
  expect(words).toHaveLength(13);
  for (const [word, sentence] of Object.entries(PAGE_WARNINGS)) {
    expect(word).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(sentence).toMatch(/^The .+\.$|^There .+\.$/);
  }
  const elsewhere = ["http_429", "unresolved", "robots_unreachable", "not_looked_at"];
  const seen = new Set([...elsewhere, ...CASES.flatMap(([, , [, ...warnings]]) => warnings)]);
  expect(words.filter((word) => !seen.has(word))).toEqual([]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeHtml } from "../../../../src/indexing/preflight/encoding.ts";
import { readHtml } from "../../../../src/indexing/preflight/html.ts";
import { cpuClock } from "../../../support/checks/cpu-time.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const NOINDEX = '<meta name="robots" content="noindex">';
const KB = 1024;

async function* pieces(whole: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

const NOW = Date.parse("2026-01-05T12:00:00Z");

const read = (text: string | Buffer, size = 64 * KB) =>
  readHtml(decodeHtml(pieces(Buffer.from(text), size), null), { seeksPosting: true, now: NOW });

/** Counts the bytes that are asked for. */
function counted(text: string): { chunks: AsyncIterable<Buffer>; taken: () => number } {
  let taken = 0;
  async function* chunks() {
    for await (const chunk of pieces(Buffer.from(text), KB)) {
      taken += chunk.length;
      yield chunk;
    }
  }
  return { chunks: chunks(), taken: () => taken };
}

const LONG = "<p>text</p>".repeat(50_000);

test.each([
  ["noindex", `<head>${NOINDEX}</head>${LONG}`, true],
  ["the end of the head, where no posting is sought", `<head></head>${LONG}`, false],
  ["the beginning of the body, where no posting is sought", `<title>x</title><body>${LONG}`, false],
  ["a posting behind the head", `<head></head><p itemtype="https://schema.org/JobPosting">${LONG}`, true],
])("reading stops at %s", async (_, text, seeksPosting) => {
  const { chunks, taken } = counted(text);
  await readHtml(decodeHtml(chunks, null), { seeksPosting, now: NOW });
  expect(taken()).toBe(KB);
});

test("a job posting in the head does not end reading, since noindex may follow", async () => {
  const job = '<script type="application/ld+json">{"@type":"JobPosting"}</script>';
  expect(await read(`<head>${job}${" ".repeat(200 * KB)}${NOINDEX}</head>`)).toMatchObject({ isNoIndex: true });
});

const HEAD = `<!doctype html><html lang="de"><head><meta charset="utf-8"><base href="/b/"><meta http-equiv="refresh" content="0; url=/elsewhere"><title>K\u00f6ln &amp; \u4e1c</title>
  <link rel="canonical" href="/k\u00f6ln?a=1&amp;b=2"><script type="application/ld+json">{"@type": "JobPosting", "title": "\u00e9"}
  </script></head><body><p>x</body></html>`;

test("the split into chunks makes no difference", async () => {
  const whole = await read(HEAD);
  expect(whole).toEqual({
    isNoIndex: false,
    noIndexFor: new Set(),
    canonicals: ["/k\u00f6ln?a=1&b=2"],
    base: "/b/",
    refresh: "/elsewhere",
    isPosting: true,
  });
  for (let size = 1; size < 40; size++) expect(await read(HEAD, size)).toEqual(whole);
});

const CANONICAL = '<link rel="canonical" href="/x">';
const REFRESH = '<meta http-equiv="refresh" content="0;url=/y">';

/** Where the head of a page ends, by Google's document of valid page metadata. */
const HEADS: readonly (readonly [name: string, before: string, isRead: boolean])[] = [
  ["in the head", "<html><head>", true],
  ["in a page without tags of its parts", "<title>x</title>", true],
  [
    "after all that a head may have",
    "<head><title>x</title><meta name=a content=b><link><script></script><style></style><base>",
    true,
  ],
  ["after a noscript with an image", "<head><noscript><img></noscript>", true],
  ["after a template with an image", "<head><template><img></template>", true],
  ["after an image in the head", "<head><img src=x>", false],
  ["after an iframe in the head", "<head><iframe></iframe>", false],
  ["after a paragraph in the head", "<head><p>x</p>", false],
  ["after an element of one's own in the head", "<head><my-tag></my-tag>", false],
  ["after a drawing in the head", "<head><svg></svg>", false],
  ["after the head", "<head></head>", false],
  ["in the body", "<head></head><body>", false],
  ["in a body without a head", "<body>", false],
  ["in a div of the body", "<body><div>", false],
  ["in frames", "<head></head><frameset>", false],
];

test.each(HEADS)("rules, canonicals and refreshes %s: read is %s", async (_, before, isRead) => {
  expect((await read(`${before}${NOINDEX}`)).isNoIndex).toBe(isRead);
  const { canonicals, refresh } = await read(`${before}${CANONICAL}${REFRESH}`);
  expect([canonicals, refresh]).toEqual(isRead ? [["/x"], "/y"] : [[], null]);
});

const robots = (...contents: readonly string[]) =>
  contents.map((content) => `<meta name="robots" content="${content}">`).join("");

/** Several tags: the more restrictive rule holds, and Googlebot heeds those for all robots and its own. */
const METAS: readonly (readonly [tags: string, isNoIndex: boolean])[] = [
  [robots("index", "noindex"), true],
  [robots("noindex", "index"), true],
  [robots("nofollow", "max-snippet:-1", "none"), true],
  [`<meta name="googlebot" content="index">${robots("noindex")}`, true],
  [`<meta name="googlebot" content="noindex">${robots("index")}`, true],
  [`<meta name="googlebot" content="nofollow">${robots("index")}`, false],
  ['<meta name="googlebot-news" content="noindex"><meta name="bingbot" content="none">', false],
  ['<meta name="GOOGLEBOT" content="NONE">', true],
  [robots("unavailable_after: 2025-09-21"), true],
  [robots("unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT"), false],
  ['<meta name="googlebot" content="unavailable_after: 25-Aug-2007 15:00:00 EST">', true],
  ['<meta content="no&#105;ndex" name="robots">', true],
  ['<meta property="robots" content="noindex">', false],
  ['<meta name="robots">', false],
  ['<meta http-equiv="X-Robots-Tag" content="noindex">', false],
];

test.each(METAS)("%s: noindex is %s", async (tags, isNoIndex) => {
  expect((await read(`<head>${tags}</head>`)).isNoIndex).toBe(isNoIndex);
});

test("the first refresh counts, and one that waits does not", async () => {
  const tag = (content: string) => `<meta http-equiv="Refresh" content="${content}">`;
  expect((await read(`<head>${tag("5;url=/a")}${tag("0;url=/b")}${tag("0;url=/c")}`)).refresh).toBe("/b");
  expect((await read(`<head><noscript>${tag("0;url=/a")}</noscript>`)).refresh).toBeNull();
});

const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
const nested = (depth: number) => "<head>".repeat(depth);

test.each<[head: string, signals: object]>([
  [`${nested(511)}${NOINDEX}`, { isNoIndex: true }],
  [`${nested(512)}${NOINDEX}`, { isNoIndex: false }],
  [`<head><noscript><body></noscript>${NOINDEX}`, { isNoIndex: false }],
  [`<head><noscript><style></style>${NOINDEX}</noscript>`, { isNoIndex: false }],
  ['<head><link name="robots" content="noindex">', { isNoIndex: false }],
  [
    '<meta name="bingbot" content="none"><meta name="applebot" content="none">',
    { noIndexFor: new Set(["bingbot", "Applebot"]) },
  ],
  ['<head><base><link rel="canonical"><link rel="icon" href="/i"><link href="/j">', { base: null, canonicals: [] }],
  ['<head><base rel="canonical" href="/b"><base href="/c">', { base: "/b", canonicals: [] }],
  ['<head><link rel="alternate  canonical" href="/x">', { canonicals: ["/x"] }],
  [`<head>${[..."abcdef"].map(canonical).join("")}`, { canonicals: [..."abcde"] }],
  ['<head><meta name="refresh" content="0;url=/y">', { refresh: null }],
])("%s", async (head, signals) => {
  expect(await read(head)).toMatchObject(signals);
});

async function* letters(text: string): AsyncGenerator<string> {
  yield* text;
}

const JOB = '{"@type":"JobPosting"}';
const MARKED = 'itemtype="https://schema.org/JobPosting"';

test.each<[page: string, isPosting: boolean]>([
  [`<script type="application/ld+json">${JOB}</script>`, true],
  [`<body><script type=" Application/LD+JSON ;charset=utf-8">${JOB}</script>`, true],
  [`<script type="text/application/ld+json">${JOB}</script>`, false],
  [`<script>${JOB}</script>`, false],
  [`<p type="application/ld+json">${JOB}<script></script>`, false],
  [`<body><p ${MARKED}>`, true],
  [`<body><template ${MARKED}></template>`, false],
])("%s: it is a posting: %s", async (page, isPosting) => {
  expect((await read(page)).isPosting).toBe(isPosting);
  expect((await readHtml(letters(page), { seeksPosting: true, now: NOW })).isPosting).toBe(isPosting);
});

test("a posting is not looked for where none is sought", async () => {
  const head = `<head><script type="application/ld+json">${JOB}</script>`;
  expect(await readHtml(letters(head), { seeksPosting: false, now: NOW })).toMatchObject({ isPosting: false });
});

const piece = fc.constantFrom(
  ..."<head>|</head>|<body>|<meta name=robots content=noindex>|<link rel=canonical href=/x>|<base href=/y>|<noscript>|<img>".split(
    "|",
  ),
  ..."</noscript>|<template>|</template>|<script type=application/ld+json>|</script>|<svg>|</svg>|<title>|<!--|-->".split(
    "|",
  ),
  ...'{"@type":"JobPosting"}|<plaintext>|<|>|/|"|\'|=|&amp;|&|&#x0;|<![CDATA[|]]>|</|<p|<br>|</br>|\u0000|\u00e9|\ud83d'.split(
    "|",
  ),
);

test("any bytes in any chunks: there is an answer, and always the same", async () => {
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(""))),
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
      expect(await read(whole, size)).toEqual(await read(whole));
    }),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

const MB = 1024 * KB;
const HOSTILE: readonly (readonly [name: string, text: string | Buffer])[] = [
  ["nested tags", "<i>".repeat(MB / 3)],
  ["nested tags and wrong ends", "<i>".repeat(500) + "</x>".repeat(MB / 4)],
  ["nested svg", "<svg><title>".repeat(MB / 12)],
  ["paragraphs that end each other", "<p>".repeat(MB / 3)],
  ["one huge attribute", `<meta name="${"x".repeat(MB)}">`],
  ["one huge attribute that does not end", `<meta content="${"&amp;".repeat(MB / 5)}`],
  ["a hundred thousand attributes", `<meta ${Array.from({ length: 100_000 }, (_, i) => `a${i}=b`).join(" ")}>`],
  ["one attribute a hundred thousand times", `<meta ${"name=robots ".repeat(90_000)}>`],
  ["a huge name of a tag", `<${"x".repeat(MB)}>`],
  ["a comment that does not end", `<!--${"- ".repeat(MB / 2)}`],
  ["dashes", `<!--${"-".repeat(MB)}`],
  ["entities", "&lt;".repeat(MB / 4)],
  ["an entity that does not end", `&#x${"0".repeat(MB)}`],
  ["canonicals", '<link rel="canonical" href="/x">'.repeat(MB / 32)],
  ["deep JSON", `<script type="application/ld+json">${"[".repeat(MB)}</script>`],
  ["deep JSON that is right", `<script type="application/ld+json">${"[".repeat(MB / 2)}${"]".repeat(MB / 2)}</script>`],
  ["deep graphs", `<script type="application/ld+json">${'{"@graph":'.repeat(90_000)}1${"}".repeat(90_000)}</script>`],
  ["many nodes", `<script type="application/ld+json">[${'{"@type":[]},'.repeat(80_000)}1]</script>`],
  ["many scripts", '<script type="application/ld+json">{</script>'.repeat(MB / 45)],
  ["a script that does not end", `<script type="application/ld+json">${"</scrip".repeat(MB / 7)}`],
  ["broken UTF-8", Buffer.alloc(MB, 0xe2)],
  ["zeros", Buffer.alloc(MB)],
  ["opening brackets", "<".repeat(MB)],
  ["rel without end", `<link rel="${"canonica ".repeat(MB / 9)}" href=x>`],
];

/** 1 MB is twice what is read of a page. */
test.each(HOSTILE)("%s: the answer takes bounded time and memory", async (_, text) => {
  const before = process.memoryUsage().rss;
  const cpuMs = cpuClock();
  expect(await read(text)).toMatchObject({ isNoIndex: false, isPosting: false });
  expect(cpuMs()).toBeLessThan(1_500);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
});

test("half a megabyte in chunks of one byte", async () => {
  const text = Buffer.alloc(512 * KB, "<meta content='x'><!-- ");
  const cpuMs = cpuClock();
  await read(text, 1);
  expect(cpuMs()).toBeLessThan(5_000);
});

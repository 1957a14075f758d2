import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import type { ListFormat } from "../../../../src/platform/lists/format.ts";
import { SITEMAP_LIMITS, type SitemapLimits } from "../../../../src/platform/lists/limits.ts";

const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";

const at = (...paths: string[]) => paths.map((path) => `https://example.com${path}`);
const numbered = (path: string, count: number) => at(...Array.from({ length: count }, (_, i) => `${path}${i}`));

test.each<[quirk: string, file: string, format: ListFormat, addresses: string[]]>([
  [
    "only loc of url counts, the empty one too",
    "urlset.xml",
    "urlset",
    [...at("/", "/?a=1&b=2", "/spaced", "/?c=3&d=4"), "", "/relative"],
  ],
  ["the sitemaps it lists", "index.xml", "index", at("/pages.xml", "/posts.xml.gz")],
  ["links of items, not the channel's and not atom:link", "feed.rss.xml", "rss", at("/one", "/two")],
  [
    "alternate links of entries that are pages",
    "feed.atom.xml",
    "atom",
    ["https://example.org/one", "https://example.org/two"],
  ],
  ["one address a line, whatever ends the line", "list.txt", "text", [...at("/one", "/two", "/three"), "/four"]],
  ["a byte order mark and CRLF", "list-crlf.txt", "text", at("/one", "/two", "/two")],
  [
    "a byte order mark",
    "byte-order-mark.xml",
    "urlset",
    at("/manual/index.html", "/manual/install.html", "/manual/upgrade.html"),
  ],
  ["all on one line", "one-line.xml", "urlset", at("/docs/a", "/docs/b", "/docs/c", "/docs/d", "/docs/e")],
  ["CDATA, instructions, comments", "cdata-and-comments.xml", "urlset", at("/", "/search?tag=new&page=2", "/about")],
  ["images, films, news, languages", "extensions.xml", "urlset", at("/garden", "/film", "/news/flood", "/en/", "/de/")],
  ["line feeds around an address", "newline-in-loc.xml", "urlset", at("/course/1", "/course/2", "/course/1")],
  [
    "addresses that are empty",
    "empty-loc.xml",
    "urlset",
    [...at("/?id=1&view=all"), "", "", "", ...at("/?id=2&view=all")],
  ],
  ["spaces in addresses", "spaces-in-loc.xml", "urlset", at("/my file.pdf", "/other file.pdf", "/my file.pdf")],
  ["CRLF", "crlf.xml", "urlset", at("/one", "/two", "/three?a=1&b=2")],
  ["relative addresses", "relative.xml", "urlset", ["/", "/about", "contact.html"]],
  ["no XML declaration", "no-declaration.xml", "urlset", at("/a", "/b")],
  ["the namespace Google began with", "google-0.84.xml", "urlset", at("/old/1", "/old/2")],
  ["a prefix for all that counts", "prefix.xml", "urlset", at("/a", "/b")],
  ["no namespace", "no-namespace.xml", "urlset", at("/a", "/b")],
  ["UTF-16", "utf-16.xml", "urlset", at("/żółw", "/b")],
  ["gzip", "packed.xml.gz", "urlset", numbered("/packed/", 20)],
])("%s (%s)", async (_, file, format, addresses) => {
  const expected = { format, entries: addresses.length, addresses };
  const bytes = await fixture(file);
  expect(await read(bytes)).toEqual(expected);
  expect(await read(gzipSync(bytes))).toEqual(expected);
});

test("gzip is recognised by its first bytes, also if applied twice or in several members", async () => {
  const plain = await fixture("urlset.xml");
  const half = plain.length >> 1;
  for (const packed of [
    gzipSync(plain),
    gzipSync(gzipSync(plain)),
    Buffer.concat([gzipSync(plain.subarray(0, half)), gzipSync(plain.subarray(half))]),
  ]) {
    expect((await read(packed)).entries).toBe(6);
  }
});

test.each([
  ["utf-8 with a byte order mark", Buffer.from(`\ufeff${urlset("ü")}`)],
  ["utf-16le with a byte order mark", Buffer.from(`\ufeff${urlset("ü", "utf-16")}`, "utf16le")],
  ["utf-16be with a byte order mark", Buffer.from(`\ufeff${urlset("ü", "utf-16")}`, "utf16le").swap16()],
  ["utf-16le without one", Buffer.from(urlset("ü"), "utf16le")],
  ["iso-8859-1 by its declaration", Buffer.from(urlset("ü", "iso-8859-1"), "latin1")],
  ["utf-8 that calls itself utf-16", Buffer.from(urlset("ü", "utf-16"))],
  ["blank lines before the declaration", Buffer.from(`\r\n\n ${urlset("ü")}`)],
])("%s", async (_, bytes) => {
  expect((await read(bytes)).addresses).toEqual(["https://example.com/ü"]);
});

test.each([
  [
    "an undeclared prefix is a foreign one",
    `<urlset><url><loc>/a</loc><image:loc>/b</image:loc></url></urlset>`,
    ["/a"],
  ],
  [
    "a foreign default namespace inside",
    `<urlset xmlns="${SITEMAP}"><url><x xmlns="urn:x"><loc>/b</loc></x><loc xmlns="urn:x">/c</loc><loc>/a</loc></url></urlset>`,
    ["/a"],
  ],
  [
    "loc outside url, and deeper",
    `<urlset><loc>/b</loc><url><p><loc>/c</loc></p><loc>/a<i>/d</i></loc></url></urlset>`,
    ["/a"],
  ],
])("%s", async (_, xml, addresses) => {
  expect((await read(Buffer.from(xml))).addresses).toEqual(addresses);
});

const lower = (limits: Partial<SitemapLimits>): SitemapLimits => ({ ...SITEMAP_LIMITS, ...limits });

test.each<[string, string | Buffer, SitemapLimits?]>([
  ["nothing", ""],
  ["blank lines only", "\n \n"],
  ["a page", "<html><body>Not found</body></html>"],
  ["a page with a DOCTYPE", "<!DOCTYPE html><html></html>"],
  ["a DOCTYPE before a urlset", `<!DOCTYPE urlset [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>`],
  ["an entity nobody declared", "<urlset><url><loc>&nbsp;</loc></url></urlset>"],
  ["a root of a foreign namespace", `<urlset xmlns="urn:x"><url><loc>/a</loc></url></urlset>`],
  ["XML cut off", "<urlset><url><loc>/a</loc></url>"],
  ["tags that do not match", "<urlset><url><loc>/a</url></loc></urlset>"],
  ["JSON", `{"error":"not found"}`],
  ["binary", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1])],
  ["gzip cut off", gzipSync(Buffer.from(urlset("a"))).subarray(0, 40)],
  ["gzip that is broken", Buffer.from([0x1f, 0x8b, 0xff, 0xff, 0xff, 0xff])],
  ["gzip three times", gzipSync(gzipSync(gzipSync(Buffer.from(urlset("a")))))],
  ["an unknown encoding", `<?xml version="1.0" encoding="klingon"?><urlset/>`],
  ["elements nested too deeply", `<urlset>${"<a>".repeat(20)}${"</a>".repeat(20)}</urlset>`],
  ["too long a name", `<urlset><${"a".repeat(300)}/></urlset>`],
  ["too long an address", `<urlset><url><loc>${"a".repeat(9_000)}</loc></url></urlset>`],
  ["too long an address in an attribute", `<feed><entry><link href="${"a".repeat(9_000)}"/></entry></feed>`],
  ["too long a line", `https://example.com/${"a".repeat(9_000)}`],
  ["too many elements", `<urlset>${"<url/>".repeat(20)}</urlset>`, lower({ elements: 10 })],
  ["too many lines", "/a\n".repeat(20), lower({ elements: 10 })],
  ["too many bytes", urlset("a".repeat(2_000)), lower({ bytes: 1_000 })],
  ["too many bytes of gzip", gzipSync(Buffer.from(urlset("a"))), lower({ wireBytes: 10 })],
  ["100 lines and no address among them", `${"A line of a log\n".repeat(100)}https://example.com/`],
  ["an endless comment", `<urlset><!--${"a".repeat(3_000)}`, lower({ token: 1_000 })],
])("sitemap_invalid: %s", async (_, document, limits) => {
  const reading = readSitemap(Buffer.from(document), () => undefined, limits);
  await expect(reading).rejects.toMatchObject({ name: "Refusal", code: "sitemap_invalid" });
});

test("a document that is not compressed may be larger than the limit of compressed ones", async () => {
  expect((await read(Buffer.from(urlset("a")), lower({ wireBytes: 10 }))).entries).toBe(1);
});

test("gzip of a high ratio is read as long as its content is small", async () => {
  const page = `${urlset("a")}${" ".repeat(100_000)}`;
  expect((await read(gzipSync(Buffer.from(page)), lower({ ratioFrom: 110_000 }))).entries).toBe(1);
  const refusal = await read(gzipSync(Buffer.from(page)), lower({ ratioFrom: 90_000 })).catch((thrown) => thrown);
  expect(refusal.message).toContain("decompresses to over 200 times its size");
});

test("a text may have 99 lines before its first address", async () => {
  const { format, entries } = await read(Buffer.from(`${"A line of a note\n".repeat(98)}\n/a`));
  expect({ format, entries }).toEqual({ format: "text", entries: 99 });
});

test("a refusal says how many entries were read before it", async () => {
  const refusal = await read(Buffer.from(`<urlset>${"<url><loc>/a</loc></url>".repeat(1_234)}<`)).catch((one) => one);
  expect(refusal.message).toContain("not well-formed XML: it ends too early (after 1,234 addresses)");
});

test.each([
  [
    "a comment before the declaration",
    `<!-- made by a plugin --><?xml version="1.0"?><urlset/>`,
    "stands before its XML declaration",
  ],
  ["two declarations", `<?xml version="1.0"?>\n<?xml version="1.0"?><urlset/>`, "stands before its XML declaration"],
  [
    "a bare ampersand",
    "<urlset><url><loc>https://a.example/?a=1&b=2;</loc></url></urlset>",
    "an & is not written as &amp;",
  ],
  [
    "an HTML entity",
    "<urlset><url><loc>https://a.example/&eacute;</loc></url></urlset>",
    "an & is not written as &amp;",
  ],
  ["an unclosed tag", "<urlset><url>", "it ends too early"],
  ["a closing tag of something else", "<urlset><url></loc></urlset>", "a closing tag does not fit"],
  [
    "an unknown namespace",
    `<urlset xmlns="urn:SECRET"><url/></urlset>`,
    "its urlset is in a namespace (xmlns) that is not the one of the format",
  ],
  ["an index in an unknown namespace", `<s:sitemapindex xmlns:s="urn:SECRET"/>`, "its sitemapindex is in a namespace"],
  ["an undeclared prefix", "<SECRET:urlset/>", "the prefix of its urlset is not declared as a namespace"],
  ["another root", "<SECRET/>", "its root element is none of urlset, sitemapindex, rss and feed"],
])("the refusal names what is wrong: %s", async (_, xml, words) => {
  const { message } = await read(Buffer.from(xml)).catch((thrown) => thrown);
  expect(message).toContain(words);
  expect(message).not.toContain("SECRET");
});

test("an error thrown by the listener passes through unchanged", async () => {
  for (const document of [urlset("a"), "https://example.com/"]) {
    const thrown = new Error("enough");
    const reading = readSitemap(Buffer.from(document), () => {
      throw thrown;
    });
    await expect(reading).rejects.toBe(thrown);
  }
});

test("a refusal never quotes the document", async () => {
  const secret = "Sesame1234";
  for (const document of [
    `<urlset><${secret}></urlset>`,
    `<${secret}/>`,
    `<urlset>&${secret};</urlset>`,
    `\u0000${secret}`,
  ]) {
    const refusal = await read(Buffer.from(document)).catch((thrown: Refusal) => thrown);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).message).not.toContain(secret);
  }
});

test("an error thrown by the source passes through unchanged", async () => {
  async function* source() {
    yield gzipSync(Buffer.from(urlset("a"))).subarray(0, 20);
    throw new Refusal("sitemap_unreachable", "The connection was lost.");
  }
  await expect(readSitemap(source(), () => undefined)).rejects.toMatchObject({ code: "sitemap_unreachable" });
});

test("a source that is not read to its end is closed", async () => {
  let closed = false;
  async function* source() {
    try {
      for (;;) yield Buffer.from("<html>");
    } finally {
      closed = true;
    }
  }
  await expect(readSitemap(source(), () => undefined)).rejects.toMatchObject({ code: "sitemap_invalid" });
  expect(closed).toBe(true);
});

function urlset(path: string, encoding = "utf-8"): string {
  return `<?xml version="1.0" encoding="${encoding}"?><urlset xmlns="${SITEMAP}"><url><loc>https://example.com/${path}</loc></url></urlset>`;
}

function fixture(name: string): Promise<Buffer> {
  return readFile(new URL(`./fixtures/${name}`, import.meta.url));
}

async function read(document: Buffer, limits?: SitemapLimits) {
  const addresses: string[] = [];
  const summary = await readSitemap(document, (address) => addresses.push(address), limits);
  return { ...summary, addresses };
}

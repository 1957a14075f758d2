import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Refusal } from "../../../src/errors.ts";
import { SITEMAP_LIMITS, type SitemapLimits } from "../../../src/sitemap/limits.ts";
import { readSitemap } from "../../../src/sitemap/read.ts";

const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";

test("urlset: only loc of url counts, trimmed, with entities and CDATA, the empty one too", async () => {
  expect(await read(fixture("urlset.xml"))).toEqual({
    format: "urlset",
    entries: 6,
    addresses: [
      "https://example.com/",
      "https://example.com/?a=1&b=2",
      "https://example.com/spaced",
      "https://example.com/?c=3&d=4",
      "",
      "/relative",
    ],
  });
});

test("index: the sitemaps it lists", async () => {
  const { format, addresses } = await read(fixture("index.xml"));
  expect({ format, addresses }).toEqual({
    format: "index",
    addresses: ["https://example.com/pages.xml", "https://example.com/posts.xml.gz"],
  });
});

test("rss: links of items, not the channel's and not atom:link", async () => {
  const { format, addresses } = await read(fixture("feed.rss.xml"));
  expect({ format, addresses }).toEqual({
    format: "rss",
    addresses: ["https://example.com/one", "https://example.com/two"],
  });
});

test("atom: alternate links of entries that are pages", async () => {
  const { format, addresses } = await read(fixture("feed.atom.xml"));
  expect({ format, addresses }).toEqual({
    format: "atom",
    addresses: ["https://example.org/one", "https://example.org/two"],
  });
});

test("text: one address a line, whatever ends the line", async () => {
  const { format, addresses } = await read(fixture("list.txt"));
  const three = ["https://example.com/one", "https://example.com/two", "https://example.com/three"];
  expect({ format, addresses }).toEqual({ format: "text", addresses: [...three, "/four"] });
});

test("gzip is known by its bytes, also twice, also of several members", async () => {
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
  ["no namespace", `<urlset><url><loc>/a</loc></url></urlset>`, ["/a"]],
  [
    "the namespace Google began with",
    `<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>/a</loc></url></urlset>`,
    ["/a"],
  ],
  [
    "a prefix for the sitemap namespace",
    `<s:urlset xmlns:s="${SITEMAP}"><s:url><s:loc>/a</s:loc></s:url></s:urlset>`,
    ["/a"],
  ],
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
  ["too many bytes on the wire", urlset("a"), lower({ wireBytes: 10 })],
  ["an endless comment", `<urlset><!--${"a".repeat(3_000)}`, lower({ token: 1_000 })],
])("sitemap_invalid: %s", async (_, document, limits) => {
  const reading = readSitemap(Buffer.from(document), () => undefined, limits);
  await expect(reading).rejects.toMatchObject({ name: "Refusal", code: "sitemap_invalid" });
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

test("what the source throws passes through", async () => {
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

async function read(document: Buffer | Promise<Buffer>) {
  const addresses: string[] = [];
  const summary = await readSitemap(await document, (address) => addresses.push(address));
  return { ...summary, addresses };
}

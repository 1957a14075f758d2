import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGzip, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import { cpuClock } from "../../../support/checks/cpu-time.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

/** Pieces a sitemap is made of, and pieces that break one. */
const piece = fc.constantFrom(
  ..."<urlset>,</urlset>,<url>,</url>,<loc>,</loc>,<loc/>,<sitemapindex>,<sitemap>,<rss>,<channel>,<item>,<link>".split(
    ",",
  ),
  ...`</link>,<feed>,<entry>,<link href="/a"/>,<!--,-->,<![CDATA[,]]>,<!DOCTYPE,<?xml version="1.0"?>,<?x ?>`.split(
    ",",
  ),
  ..."&amp;,&lt;,&#0;,&__proto__;,&constructor;,&,<,>,\u0000,\ud800,\ufeff,https://example.com/,\n, xmlns:__proto__='x'".split(
    ",",
  ),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
  fc
    .array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 5 })), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join(""))),
);

test("any bytes in any chunks, compressed or not, give a summary or a refusal", async () => {
  const packing = fc.constantFrom(
    (plain: Buffer) => plain,
    gzipSync,
    (plain: Buffer) => gzipSync(plain).subarray(0, -5),
  );
  await fc.assert(
    fc.asyncProperty(bytes, packing, fc.integer({ min: 1, max: 50 }), async (plain, pack, size) => {
      const addresses: string[] = [];
      const thrown = await readSitemap(cut(pack(plain), size), (address) => addresses.push(address)).catch(
        (error) => error,
      );
      if (thrown instanceof Error) expect(thrown).toBeInstanceOf(Refusal);
      else expect(thrown.entries).toBe(addresses.length);
    }),
    { numRuns: fuzzRuns(750), seed: 1 },
  );
});

test("the split into chunks makes no difference", async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (plain, size) => {
      expect(await outcome(cut(plain, size))).toEqual(await outcome(plain));
    }),
    { numRuns: fuzzRuns(250), seed: 1 },
  );
});

test("a gzip bomb of gigabytes is refused after its first megabyte, in bounded memory", async () => {
  const before = process.memoryUsage().rss;
  const bomb = createGzip();
  const zeros = Buffer.alloc(1024 * 1024, 0x20);
  const feed = () => {
    while (bomb.write(zeros));
    bomb.once("drain", feed);
  };
  feed();
  await expect(readSitemap(bomb, () => undefined)).rejects.toThrow("over 200 times its size");
  bomb.destroy();
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

test.each([
  ["attributes", "<urlset", (n: number) => ` a${n}=""`, "an element has too many attributes", 16],
  ["namespaces", "<urlset", (n: number) => ` xmlns:a${n}="u"`, "an element has too many attributes", 24],
  ["addresses of an entry", "<urlset><url>", () => "<loc>/</loc>", "an entry has too many addresses", 16],
  ["links of an item", "<rss><channel><item>", () => "<link/>", "an entry has too many addresses", 16],
  ["links of an entry", "<feed><entry>", () => '<link href="/"/>', "an entry has too many addresses", 16],
  ["a line of addresses", "", () => "https://example.com/ ", "line 1 is too long", 320],
])("endless %s: refused after a few kilobytes", async (_, head, piece, why, mostKilobytes) => {
  let sent = 0;
  async function* endless() {
    yield Buffer.from(head);
    for (let n = 0; ; sent += 1)
      yield Buffer.from(
        Array.from({ length: 50 }, () => piece(n++))
          .join("")
          .padEnd(1024),
      );
  }
  await expect(readSitemap(endless(), () => undefined)).rejects.toThrow(why);
  expect(sent).toBeLessThan(mostKilobytes + 64);
});

test("namespace declarations are looked up, not copied: many at the root do not make elements more expensive", async () => {
  const withRoot = (prefixes: number) => {
    const declared = Array.from({ length: prefixes }, (_, i) => ` xmlns:a${i}="u"`).join("");
    const entry = '<url xmlns:b="c"><loc>https://example.com/</loc></url>';
    return Buffer.from(`<urlset${declared}>${entry.repeat(20_000)}</urlset>`);
  };
  const cost = async (document: Buffer) => {
    const cpuMs = cpuClock();
    expect(await readSitemap(document, () => undefined)).toMatchObject({ entries: 20_000 });
    return cpuMs();
  };
  const few = await cost(withRoot(10));
  expect(await cost(withRoot(900))).toBeLessThan(10 * few);
});

test("an address in memory holds no more than its own text", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const pieces = 400;
  async function* source() {
    yield Buffer.from("<urlset>");
    for (let i = 0; i < pieces; i++) {
      const entries = `<url><loc>https://example.com/a-page/${i}</loc></url>`.repeat(2);
      yield Buffer.from(`${" ".repeat(60_000)}${entries}<!-- -->`);
    }
    yield Buffer.from("</urlset>");
  }
  // Compiled code keeps other strings than code that has run a few times.
  for (let round = 0; round < 5; round++) {
    const held: string[] = [];
    collect();
    const before = process.memoryUsage().heapUsed;
    await readSitemap(source(), (address) => held.push(address));
    collect();
    expect(held).toHaveLength(2 * pieces);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  }
});

test("the event loop is not blocked while a large document is read", async () => {
  const large = Buffer.from(`<urlset>${"<url><loc>https://example.com/page</loc></url>".repeat(100_000)}</urlset>`);
  let found = 0;
  let before = 0;
  let mostInOneTurn = 0;
  const turn = () => {
    mostInOneTurn = Math.max(mostInOneTurn, found - before);
    before = found;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const onAddress = () => {
    found += 1;
  };
  expect((await readSitemap(large, onAddress)).entries).toBe(100_000);
  clearImmediate(next);
  expect(mostInOneTurn).toBeLessThan(20_000);
});

async function outcome(source: Buffer | AsyncIterable<Buffer>) {
  const addresses: string[] = [];
  try {
    return { ...(await readSitemap(source, (address) => addresses.push(address))), addresses };
  } catch (thrown) {
    return { code: (thrown as Refusal).code };
  }
}

async function* cut(whole: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

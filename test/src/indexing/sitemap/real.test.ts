import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readSitemap } from "../../../../src/indexing/sitemap/read.ts";

/** A file of the corpus as its manifest has it; counts that are not there are not looked at. */
interface Described {
  readonly file: string;
  readonly sha256?: string;
  readonly kind: "urlset" | "sitemapindex" | "rss" | "atom" | "text";
  readonly well_formed?: boolean;
  /** Addresses of pages, empty ones included; of sitemaps, for an index. */
  readonly locs: number;
  readonly sitemaps: number;
  readonly first: string;
  readonly last: string;
  readonly unique_locs?: number;
  readonly unique_sitemap_locs?: number;
  readonly unique_nonempty?: number;
  readonly empty_locs?: number;
  readonly relative_or_nonhttp?: number;
  readonly with_inner_space?: number;
  readonly hosts?: number;
}

/** Sitemaps as sites serve them, counted by other parsers. They are not part of the project. */
const corpus = process.env.SITEMAP_CORPUS;

if (corpus) {
  const files: Described[] = JSON.parse(readFileSync(join(corpus, "manifest.json"), "utf8"));
  describe("real sitemaps", () => {
    test.each(files)("$file", async (described) => {
      const bytes = readFileSync(join(corpus, described.file));
      if (described.sha256) expect(createHash("sha256").update(bytes).digest("hex")).toBe(described.sha256);
      if (described.well_formed === false) {
        await expect(readSitemap(bytes, () => undefined)).rejects.toMatchObject({ code: "sitemap_invalid" });
        return;
      }
      const whole = await read(bytes);
      expect(countsOf(whole)).toMatchObject(expectedOf(described));
      expect(await read(gzipSync(bytes))).toEqual(whole);
      expect(await read(inPieces(bytes, 1_000))).toEqual(whole);
    });
  });
} else {
  test.todo("real sitemaps: set SITEMAP_CORPUS to a folder of them with a manifest.json");
}

async function read(source: Buffer | AsyncIterable<Buffer>) {
  const addresses: string[] = [];
  const { format } = await readSitemap(source, (address) => addresses.push(address));
  return { format, addresses };
}

function countsOf({ format, addresses }: Awaited<ReturnType<typeof read>>) {
  const filled = addresses.filter((address) => address !== "");
  const absolute = filled.filter((address) => /^https?:\/\//i.test(address) && URL.canParse(address));
  return {
    format,
    entries: addresses.length,
    first: addresses[0],
    last: addresses.at(-1),
    unique: new Set(addresses).size,
    uniqueFilled: new Set(filled).size,
    empty: addresses.length - filled.length,
    relative: filled.length - absolute.length,
    spaced: filled.filter((address) => /\s/.test(address)).length,
    hosts: new Set(absolute.map((address) => new URL(address).host)).size,
  };
}

function expectedOf(described: Described) {
  const isIndex = described.kind === "sitemapindex";
  const counts = {
    format: isIndex ? "index" : described.kind,
    entries: described.locs + described.sitemaps,
    first: described.first,
    last: described.last,
    unique: isIndex ? described.unique_sitemap_locs : described.unique_locs,
    uniqueFilled: described.unique_nonempty,
    empty: described.empty_locs,
    relative: described.relative_or_nonhttp,
    spaced: described.with_inner_space,
    hosts: described.hosts,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

async function* inPieces(whole: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSitemap } from "../../../src/sitemap/read.ts";

interface Described {
  readonly file: string;
  readonly kind: "urlset" | "sitemapindex" | "rss" | "text";
  readonly locs: number;
  readonly unique_locs: number;
  readonly sitemaps: number;
  readonly first: string;
  readonly last: string;
}

/** Sitemaps as sites serve them, counted by other parsers; they are not part of the project. */
const folder = new URL("../../../../shared/data/sitemaps/", import.meta.url);
const manifest = new URL("manifest.json", folder);
const files: Described[] = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : [];

describe.runIf(files.length > 0)("real sitemaps", () => {
  test.each(files)("$file", async ({ file, kind, locs, unique_locs, sitemaps, first, last }) => {
    const addresses: string[] = [];
    const { format } = await readSitemap(readFileSync(new URL(file, folder)), (address) => addresses.push(address));
    expect({
      format,
      entries: addresses.length,
      unique: format === "index" ? 0 : new Set(addresses).size,
      first: addresses[0],
      last: addresses.at(-1),
    }).toEqual({
      format: kind === "sitemapindex" ? "index" : kind,
      entries: locs + sitemaps,
      unique: unique_locs,
      first,
      last,
    });
  });
});

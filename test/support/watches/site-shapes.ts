import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";
import type { SeededRandom } from "../nodes/seeded-random.ts";
import type { Page } from "./virtual-site.ts";

/** How the pages of a site are dated in its sitemap: not at all, all with the time of the last build, or each with its own. */
export type Dating = "none" | "build" | "own";

/** A real sitemap without its addresses: enough to make up a site like it. */
export interface SiteShape {
  readonly dating: Dating;
  /** What follows the day in its dates, such as `T08:00:00+00:00`. */
  readonly time: string;
  /** How many pages of a hundred have paths of 1, 2, 3… segments. */
  readonly depths: readonly number[];
  /** Lengths of the last segment, at every tenth of the pages in order of length. */
  readonly lengths: readonly number[];
  /** How many folders there are for a hundred pages. */
  readonly folders: number;
  /** Pages of a hundred that have a query, and escapes, in their addresses. */
  readonly queries: number;
  readonly escapes: number;
}

/** Where the real sitemaps are: they are not part of the project. */
export function realSitemapsFolder(): string | null {
  const folder = process.env.REAL_SITEMAPS ?? join(packageRoot, "../shared/data/sitemaps");
  return existsSync(folder) ? folder : null;
}

/** The real sitemaps with at least so many pages, by the names of their files. */
export function realSitemaps(folder: string, fewest = 200): Map<string, Page[]> {
  const found = new Map<string, Page[]>();
  for (const name of readdirSync(folder).sort()) {
    const pages = name.endsWith(".xml") ? pagesIn(readFileSync(join(folder, name), "utf8")) : [];
    if (pages.length >= fewest) found.set(name, pages);
  }
  return found;
}

/** Absolute addresses in normal form, each once. */
function pagesIn(text: string): Page[] {
  const pages = new Map<string, Page>();
  for (const [, entry = ""] of text.matchAll(/<url>(.*?)<\/url>/gs)) {
    const url = textOf(entry, "loc");
    if (!url || !/^https?:/.test(url) || !URL.canParse(url) || new URL(url).href !== url) continue;
    const lastmod = textOf(entry, "lastmod");
    pages.set(url, { url, ...(lastmod ? { lastmod } : {}) });
  }
  return [...pages.values()];
}

function textOf(entry: string, name: string): string | undefined {
  const written = new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(entry)?.[1];
  return written
    ?.replace(/<!\[CDATA\[|\]\]>/g, "")
    .replaceAll("&amp;", "&")
    .trim();
}

const share = (pages: readonly Page[], test: (url: URL) => boolean) =>
  Math.round((100 * pages.filter(({ url }) => test(new URL(url))).length) / pages.length);

export function shapeOf(pages: readonly Page[]): SiteShape {
  const dates = pages.flatMap(({ lastmod }) => lastmod ?? []);
  const segments = pages.map(({ url }) => new URL(url).pathname.split("/").filter((segment) => segment !== ""));
  const lengths = segments.map((each) => each.at(-1)?.length ?? 0).sort((a, b) => a - b);
  const folders = new Set(segments.map((each) => each.slice(0, -1).join("/")));
  return {
    dating: dates.length === 0 ? "none" : new Set(dates).size < dates.length / 20 ? "build" : "own",
    time: dates[0]?.slice(10) ?? "",
    depths: Array.from({ length: 8 }, (_, at) =>
      Math.round((100 * segments.filter((each) => Math.max(1, each.length) === at + 1).length) / pages.length),
    ),
    lengths: Array.from({ length: 10 }, (_, at) => lengths[Math.floor((at * lengths.length) / 10)]!),
    folders: Math.round((100 * folders.size) / pages.length),
    queries: share(pages, ({ search }) => search !== ""),
    escapes: share(pages, ({ pathname }) => pathname.includes("%")),
  };
}

const ORIGIN = "https://example.com";

/** Makes up addresses for a site of a shape, no two alike. */
export class Addresses {
  readonly #shape: SiteShape;
  readonly #random: SeededRandom;
  readonly #folders: string[][] = [];
  #made = 0;

  constructor(shape: SiteShape, random: SeededRandom) {
    this.#shape = shape;
    this.#random = random;
  }

  next(): string {
    const { lengths, queries, escapes } = this.#shape;
    const id = String(++this.#made);
    const word = this.#word(Math.max(0, lengths[this.#random.between(0, lengths.length - 1)]! - id.length - 1));
    const folder = this.#folder();
    const segment = this.#isOf(escapes) ? `%E5%A5%BD${word}-${id}` : `${word}-${id}`;
    const path = ["", ...folder, segment].join("/");
    return this.#isOf(queries) ? `${ORIGIN}${path}?id=${word}&article=${id}` : `${ORIGIN}${path}`;
  }

  #folder(): string[] {
    const depth = this.#depth();
    const known = this.#folders.filter(({ length }) => length === depth - 1);
    if (known.length > 0 && !this.#isOf(this.#shape.folders)) return known[this.#random.between(0, known.length - 1)]!;
    const made = Array.from({ length: depth - 1 }, () => this.#word(this.#random.between(3, 12)));
    this.#folders.push(made);
    return made;
  }

  #depth(): number {
    let drawn = this.#random.between(0, 99);
    const at = this.#shape.depths.findIndex((often) => {
      drawn -= often;
      return drawn < 0;
    });
    return at === -1 ? 1 : at + 1;
  }

  #word(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(97 + this.#random.between(0, 25))).join("");
  }

  #isOf(hundred: number): boolean {
    return this.#random.between(0, 99) < hundred;
  }
}

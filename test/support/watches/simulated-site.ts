import { DAY, iso } from "../../../src/platform/clock.ts";
import type { SeededRandom } from "../nodes/seeded-random.ts";
import { type Page, sitemapOf, type VirtualSite } from "./virtual-site.ts";

/** What goes wrong on a day, as often as the numbers say, of 100 days. */
const MISHAPS = {
  html: 2,
  status_503: 3,
  cut_off: 2,
  no_pages: 1,
  half_vanished: 2,
  doubled: 1,
  build_stamp: 3,
  moved_host: 1,
  broken_dates: 3,
  future_dates: 3,
} as const;

type Mishap = keyof typeof MISHAPS;

/** A site that changes from day to day, as sites do, and whose sitemap is wrong on some days. */
export class SimulatedSite {
  readonly #site: VirtualSite;
  readonly #url: string;
  readonly #random: SeededRandom;
  readonly #pages: Map<string, string>;
  #made = 0;

  constructor(site: VirtualSite, url: string, { pages, random }: { pages: readonly string[]; random: SeededRandom }) {
    this.#site = site;
    this.#url = url;
    this.#random = random;
    this.#pages = new Map(pages.map((page, at) => [page, iso(Date.UTC(2025, at % 12, 1 + (at % 28))).slice(0, 10)]));
  }

  get pages(): string[] {
    return [...this.#pages.keys()];
  }

  /** A day on which pages are written, changed and taken away. @returns what is wrong with the sitemap on it */
  live(service: number, isQuiet = false): Mishap | null {
    if (!isQuiet) this.#change(service);
    const mishap = isQuiet ? null : this.#mishap();
    this.#serve(mishap, service);
    return mishap;
  }

  #change(service: number): void {
    const today = iso(service).slice(0, 10);
    // A campaign now and then.
    const born = this.#random.between(0, 29) === 0 ? 25 : this.#random.between(0, 3);
    for (let page = 0; page < born; page++) this.#pages.set(`https://example.com/posts/${++this.#made}`, today);
    const known = this.pages;
    for (let edit = this.#random.between(0, 4); edit > 0; edit--)
      this.#pages.set(known[this.#random.between(0, known.length - 1)]!, today);
    if (this.#random.between(0, 3) === 0) this.#pages.delete(known[this.#random.between(0, known.length - 1)]!);
  }

  #mishap(): Mishap | null {
    let drawn = this.#random.between(0, 99);
    for (const [mishap, often] of Object.entries(MISHAPS)) {
      drawn -= often;
      if (drawn < 0) return mishap as Mishap;
    }
    return null;
  }

  #serve(mishap: Mishap | null, service: number): void {
    const pages: Page[] = [...this.#pages].map(([url, lastmod]) => ({ url, lastmod }));
    const dated = (lastmod: string) => pages.map(({ url }) => ({ url, lastmod }));
    const text = {
      html: () => "<!doctype html><html><body>Back soon</body></html>",
      status_503: () => null,
      cut_off: () => sitemapOf(pages).slice(0, -500),
      no_pages: () => sitemapOf([]),
      half_vanished: () => sitemapOf(pages.slice(0, Math.floor(pages.length / 2))),
      doubled: () => sitemapOf([...pages, ...pages.map(({ url }) => ({ url: `${url}?print=1` }))]),
      build_stamp: () => sitemapOf(dated(iso(service))),
      moved_host: () => sitemapOf(pages.map(({ url }) => ({ url: url.replace("example.com", "new.example.com") }))),
      broken_dates: () => sitemapOf(dated("last week")),
      future_dates: () => sitemapOf(dated(iso(service + 400 * DAY))),
    }[mishap ?? ("" as Mishap)];
    const served = text ? text() : sitemapOf(pages);
    if (served === null) this.#site.fail(this.#url, 503);
    else this.#site.serve(this.#url, served);
  }
}

import { DAY, iso } from "../../../src/platform/clock.ts";
import type { SeededRandom } from "../nodes/seeded-random.ts";
import type { SiteShape } from "./site-shapes.ts";
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

/** What a site is made from. */
export interface SiteStart {
  /** Pages that it has from the beginning. */
  readonly pages: readonly string[];
  readonly shape: Pick<SiteShape, "dating" | "time">;
  /** The address of a page that it has not had yet. */
  readonly next: () => string;
}

/** A site that changes from day to day, as sites do, and whose sitemap is wrong on some days. */
export class SimulatedSite {
  readonly #site: VirtualSite;
  readonly #url: string;
  readonly #random: SeededRandom;
  readonly #start: SiteStart;
  /** When each page was last changed. */
  readonly #pages: Map<string, number>;

  constructor(site: VirtualSite, url: string, { random, ...start }: SiteStart & { random: SeededRandom }) {
    this.#site = site;
    this.#url = url;
    this.#random = random;
    this.#start = start;
    this.#pages = new Map(start.pages.map((page, at) => [page, Date.UTC(2025, at % 12, 1 + (at % 28))]));
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
    // A campaign now and then.
    const born = this.#random.between(0, 29) === 0 ? 25 : this.#random.between(0, 3);
    for (let page = 0; page < born; page++) this.#pages.set(this.#start.next(), service);
    const known = this.pages;
    for (let edit = this.#random.between(0, 4); edit > 0; edit--) this.#pages.set(this.#random.pick(known), service);
    if (this.#random.between(0, 3) === 0) this.#pages.delete(this.#random.pick(known));
  }

  #mishap(): Mishap | null {
    let drawn = this.#random.between(0, 99);
    for (const [mishap, often] of Object.entries(MISHAPS)) {
      drawn -= often;
      if (drawn < 0) return mishap as Mishap;
    }
    return null;
  }

  /** A date as this site writes it. */
  #written(at: number): string {
    return `${iso(at).slice(0, 10)}${this.#start.shape.time}`;
  }

  #serve(mishap: Mishap | null, service: number): void {
    const { dating } = this.#start.shape;
    const dateOf = {
      none: () => ({}),
      build: () => ({ lastmod: this.#written(service - DAY) }),
      own: (changed: number) => ({ lastmod: this.#written(changed) }),
    }[dating];
    const pages: Page[] = [...this.#pages].map(([url, changed]) => ({ url, ...dateOf(changed) }));
    const dated = (lastmod: string) => pages.map(({ url }) => ({ url, lastmod }));
    const printed = (url: string) => `${url}${url.includes("?") ? "&" : "?"}print=1`;
    const text = {
      html: () => "<!doctype html><html><body>Back soon</body></html>",
      status_503: () => null,
      cut_off: () => sitemapOf(pages).slice(0, -500),
      no_pages: () => sitemapOf([]),
      half_vanished: () => sitemapOf(pages.slice(0, Math.floor(pages.length / 2))),
      doubled: () => sitemapOf([...pages, ...pages.map(({ url }) => ({ url: printed(url) }))]),
      build_stamp: () => sitemapOf(dated(iso(service))),
      moved_host: () => sitemapOf(pages.map(({ url }) => ({ url: url.replace("://", "://moved.") }))),
      broken_dates: () => sitemapOf(dated("last week")),
      future_dates: () => sitemapOf(dated(iso(service + 400 * DAY))),
    }[mishap ?? ("" as Mishap)];
    const served = text ? text() : sitemapOf(pages);
    if (served === null) this.#site.fail(this.#url, 503);
    else this.#site.serve(this.#url, served);
  }
}

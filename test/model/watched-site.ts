import { iso } from "../../src/platform/clock.ts";
import { type Page, sitemapOf, type VirtualSite } from "../support/watches/virtual-site.ts";

/** What happens to a site. */
export const SITE_CHANGES = ["grows", "is edited", "shrinks", "vanishes", "comes back", "fails", "is built"] as const;
export type SiteChange = (typeof SITE_CHANGES)[number];

/** Fates by which no link fails, so that each page is submitted once and for all. */
const FATES = ["hour", "day_4", "never", "hour", "dropped"];

/** A site whose sitemap is watched, and what an observer knows of its pages. */
export class WatchedSite {
  readonly host: string;
  readonly sitemap: string;
  /** How often each page that it has ever listed was changed, by its URL. */
  readonly edits = new Map<string, number>();
  readonly #site: VirtualSite;
  #listed = new Map<string, string>();
  #gone = new Map<string, string>();
  #isDown = false;

  constructor(site: VirtualSite, number: number) {
    this.#site = site;
    this.host = `site${number}.example`;
    this.sitemap = `https://${this.host}/sitemap.xml`;
    this.change("grows", { pages: 5, service: Date.UTC(2025, 11, 1) });
  }

  /** URLs that its sitemap lists. */
  get pages(): string[] {
    return [...this.#listed.keys()];
  }

  change(what: SiteChange, { pages, service }: { readonly pages: number; readonly service: number }): void {
    const date = iso(service);
    this.#isDown = what === "fails";
    if (what === "grows") for (let more = pages; more > 0; more--) this.#add(date);
    if (what === "is edited") this.#edit(this.pages.slice(0, pages), date);
    if (what === "is built") this.#edit(this.pages, date);
    if (what === "shrinks") this.#remove(this.pages.slice(-pages));
    if (what === "vanishes") this.#remove(this.pages.slice(0, Math.ceil(this.#listed.size / 2)));
    if (what === "comes back") this.#listed = new Map([...this.#gone, ...this.#listed]);
    if (what === "comes back") this.#gone = new Map();
    this.#serve();
  }

  #add(date: string): void {
    const number = this.edits.size;
    const url = `https://${this.host}/${number}?sandbox=${FATES[number % FATES.length]}`;
    this.#listed.set(url, date);
    this.edits.set(url, 0);
  }

  #edit(urls: readonly string[], date: string): void {
    for (const url of urls) {
      this.#listed.set(url, date);
      this.edits.set(url, this.edits.get(url)! + 1);
    }
  }

  #remove(urls: readonly string[]): void {
    for (const url of urls) {
      this.#gone.set(url, this.#listed.get(url)!);
      this.#listed.delete(url);
    }
  }

  #serve(): void {
    const pages: Page[] = [...this.#listed].map(([url, lastmod]) => ({ url, lastmod }));
    if (this.#isDown) this.#site.fail(this.sitemap, 503);
    else this.#site.serve(this.sitemap, sitemapOf(pages));
  }
}

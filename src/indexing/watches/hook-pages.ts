import { settingsOf, type WatchRow } from "../../domain/watches/rows.ts";
import { SIZES } from "../../platform/sizes.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import { pathFilter } from "./path-filter.ts";

/** The pages among addresses that a watch may take: of the host of its sitemap, and let through by its patterns. */
export function pagesOfWatch(watch: WatchRow, addresses: readonly string[]): string[] {
  const { include, exclude } = settingsOf(watch);
  const { host } = new URL(watch.sitemapUrl);
  const isWatched = pathFilter(include, exclude);
  const pages = new Set<string>();
  for (const address of addresses) {
    const url = normaliseUrl(address);
    if (url !== null && new URL(url).host === host && isWatched(url)) pages.add(url);
  }
  return [...pages].slice(0, SIZES.urlsPerSubmission);
}

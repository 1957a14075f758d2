import { readFile } from "node:fs/promises";
import { readSitemap } from "../../src/indexing/sitemap/read.ts";
import { parseUrlList, type UrlList } from "../../src/platform/urls/urls.ts";

/** The page URLs of a file: any sitemap, or a list with one URL per line. */
export async function urlsOf(file: string): Promise<UrlList> {
  const entries: string[] = [];
  const { format } = await readSitemap(await readFile(file), (address) => entries.push(address));
  if (format === "index") throw new Error(`${file} lists sitemaps, not pages. Give one of those.`);
  const list = parseUrlList(entries);
  if (list.accepted.length === 0) throw new Error(`${file} has no absolute URL in its ${entries.length} entries.`);
  return list;
}

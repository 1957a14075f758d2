import MiniSearch from "minisearch";
import { SIZES } from "../../../platform/sizes.ts";
import type { Document } from "../../docs/index.ts";
import { type DocsIndex, type DocsResult, INDEX_OPTIONS, searchDocs } from "../browser/docs-index.ts";
import { searchEntries } from "./search-entries.ts";

export function buildDocsIndex(documents: readonly Document[]): DocsIndex {
  const index: DocsIndex = new MiniSearch(INDEX_OPTIONS);
  index.addAll(searchEntries(documents));
  return index;
}

/** Pages that somebody may have meant by a path under /docs that does not exist, the most similar first. */
export function similarPages(index: DocsIndex, path: string, most: number): DocsResult[] {
  const options = { fields: ["title", "heading"], filter: isPage, prefix: false };
  const segments = path.slice(0, SIZES.search).replace(/\.md$/, "").split("/").slice(2).map(words);
  const found = segments.reverse().flatMap((segment) => searchDocs(index, segment, most, options));
  const unique = new Map(found.map((result) => [result.path, result]));
  return [...unique.values()].slice(0, most);
}

function isPage(result: { readonly [field: string]: unknown }): boolean {
  return !String(result.path).includes("#");
}

function words(segment: string): string {
  return segment.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

import type MiniSearch from "minisearch";
import type { Options, SearchOptions } from "minisearch";

/** What can be found: a page of the docs, or a section of one. The server writes the index, and the browser reads it. */
export interface DocsEntry {
  readonly id: number;
  /** With the anchor of a section. */
  readonly path: string;
  /** "submit_urls", or "submit_urls: Errors" for a section. */
  readonly label: string;
  /** What the page or the section is about, in a line. */
  readonly about: string;
  /** The title of the page; "" for a section. */
  readonly title: string;
  /** The heading of the page or the section. */
  readonly heading: string;
  /** The title of the page that a section is on. */
  readonly page: string;
  /** Names that are explained here: fields, settings, commands, codes of errors. */
  readonly names: string;
  readonly text: string;
}

export type DocsIndex = MiniSearch<DocsEntry>;

export type DocsResult = Pick<DocsEntry, "path" | "label" | "about">;

/** An underscore separates words, so that `insufficient credits` finds `insufficient_credits`. */
export const INDEX_OPTIONS: Options<DocsEntry> = {
  fields: ["title", "heading", "page", "names", "text"],
  storeFields: ["path", "label", "about"],
  searchOptions: {
    boost: { title: 8, names: 4, heading: 3, page: 1, text: 1 },
    prefix: true,
    // One wrong letter in four; words of three letters have to be exact.
    fuzzy: (term) => (term.length > 3 ? 0.25 : false),
  },
};

/** Words of a query that are looked for: one letter alone begins hundreds of words. */
const MOST_WORDS = 16;

/**
 * The best results first, and before them the page that has the query as its name. Pages that contain all words come alone;
 * if there are none, pages that contain some of them.
 */
export function searchDocs(index: DocsIndex, asked: string, most: number, options?: SearchOptions): DocsResult[] {
  const query = asked.split(/\s+/, MOST_WORDS).join(" ");
  const all = index.search(query, { ...options, combineWith: "AND" });
  const found = (all.length > 0 ? all : index.search(query, options)) as unknown as DocsResult[];
  const isNamed = ({ label }: DocsResult) => label.toLowerCase() === query.trim().toLowerCase();
  return [...found.filter(isNamed), ...found.filter((result) => !isNamed(result))].slice(0, most);
}

/** A public page: served as HTML, and as Markdown at its path + `.md` (`/index.md` for `/`) or by `Accept: text/markdown`. */
export interface Document {
  /** `/` or `/…`, without a trailing slash and without `.md`. */
  readonly path: string;
  /** One line, without markup: the title of the page, and its name in lists. */
  readonly title: string;
  /** One sentence, without markup. */
  readonly summary: string;
  /** Where it stands in the navigation of /docs; absent: nowhere. */
  readonly section?: Section;
  /** CommonMark with tables, beginning with a heading of level 1. Links to our own pages begin with `/`. */
  readonly markdown: string;
}

export type Section = "Begin" | "Guides" | "Reference" | "Operations" | "Errors";

/** Address of the Markdown of a document, without the origin. */
export function markdownPath(path: string): string {
  return path === "/" ? "/index.md" : `${path}.md`;
}

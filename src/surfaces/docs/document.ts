/** A public page, served as HTML, and as Markdown at its path + `.md` (`/index.md` for `/`) or by `Accept: text/markdown`. */
export interface Document {
  /** `/` or `/…`, without a trailing slash and without `.md`. */
  readonly path: string;
  /** The title of the page and its name in lists: one line, without markup. */
  readonly title: string;
  /** One sentence, without markup. */
  readonly summary: string;
  /** The section of the navigation that lists it; absent: it is not listed. */
  readonly section?: Section;
  /** CommonMark with tables, beginning with a heading of level 1. Links to our own pages begin with `/`. */
  readonly markdown: string;
}

export type Section = "Get started" | "Guides" | "Reference" | "Operations" | "Errors";

/** The path of a document as Markdown. */
export function markdownPath(path: string): string {
  return path === "/" ? "/index.md" : `${path}.md`;
}

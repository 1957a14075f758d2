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
  /** The same page in parts, if its HTML shows some of them in a form that Markdown does not have. */
  readonly parts?: readonly Part[];
}

/** Part of a page: Markdown, the calls of an example, the answer to it, the errors of an operation, texts in columns or in tabs. */
export type Part = string | ExampleCalls | ExampleAnswer | ErrorList | Columns | TextTabs;

/** The example of an operation, called by several protocols. */
export interface ExampleCalls {
  readonly kind: "calls";
  readonly calls: readonly ExampleCall[];
}

export interface ExampleCall {
  /** Its anchor: `curl`, `mcp`. */
  readonly id: string;
  readonly title: string;
  /** A sentence before the code, as Markdown. */
  readonly introduction?: string;
  readonly language: Language;
  readonly code: string;
}

/** Languages of code, by the names that a fence of Markdown has. */
export type Language = "sh" | "js" | "python" | "json" | "ini" | "yaml" | "text";

/** The answer of an operation to its example, and the fields of every answer. */
export interface ExampleAnswer {
  readonly kind: "answer";
  /** As JSON, indented by two spaces. */
  readonly text: string;
  readonly fields: readonly AnswerField[];
}

export interface ErrorList {
  readonly kind: "errors";
  readonly errors: readonly { readonly status: number; readonly code: string; readonly title: string }[];
}

/** Texts that stand side by side where there is space; each is Markdown with a heading. */
export interface Columns {
  readonly kind: "columns";
  readonly texts: readonly string[];
}

/** Texts of which one is shown. */
export interface TextTabs {
  readonly kind: "tabs";
  /** The name of the choice, and what is chosen. */
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly TextTab[];
}

export interface TextTab {
  /** Its anchor, which its title makes. */
  readonly id: string;
  readonly title: string;
  /** Without a heading. */
  readonly markdown: string;
}

/** A field of an answer, and the fields within it, if it is an object or a list of objects. */
export interface AnswerField {
  readonly name: string;
  /** In words, as Markdown. */
  readonly type: string;
  /** As Markdown, without a full stop; absent if the name says it. */
  readonly meaning?: string;
  readonly fields: readonly AnswerField[];
}

export type Section = "Get started" | "Guides" | "Reference" | "Operations" | "Errors";

/** The sections that lists of all pages have, in their order. Errors are too many for such a list: /docs/errors has them. */
export const SECTIONS: readonly Section[] = ["Get started", "Guides", "Reference", "Operations"];

/** The path of a document as Markdown. */
export function markdownPath(path: string): string {
  return path === "/" ? "/index.md" : `${path}.md`;
}

import type Token from "markdown-it/lib/token.mjs";
import type { Document } from "../../docs/index.ts";
import type { DocsEntry } from "../browser/docs-index.ts";
import { anchorOf, parseMarkdown } from "./markdown.tsx";
import { textsOf } from "./part-texts.ts";

/** What is shown of a section. */
const CHARACTERS_OF_ABOUT = 90;

/** The pages of the docs and their sections, to be searched. The pages of errors are short: they are not divided. */
export function searchEntries(documents: readonly Document[]): DocsEntry[] {
  const entries = documents.filter(({ section }) => section !== undefined).flatMap(entriesOf);
  return entries.map((entry, id) => ({ id, ...entry }));
}

type Entry = Omit<DocsEntry, "id">;

function entriesOf(document: Document): Entry[] {
  const { path, title, summary, section } = document;
  const [intro, ...divided] = sectionsOf(parseMarkdown(searchableText(document)), section !== "Errors");
  const page: Entry = {
    ...{ path, title, heading: intro!.heading, page: "", label: title, about: summary },
    ...{ names: intro!.names.join(" "), text: `${summary} ${intro!.text.join(" ")}` },
  };
  // The sections of the list of all pages only repeat their summaries.
  const sections = path === "/docs" ? [] : divided;
  return [page, ...sections.map((one) => sectionEntry(document, one))];
}

/** Without the answers and errors of operations, which repeat what other pages say. */
function searchableText({ markdown, parts = [markdown] }: Document): string {
  const texts = parts.flatMap((part) => {
    const isExample = typeof part !== "string" && part.kind === "calls";
    return isExample ? [part.calls.map(({ title }) => title).join(", ")] : textsOf(part);
  });
  return texts.join("\n\n");
}

function sectionEntry({ path, title }: Document, { heading, names, sentences, text }: Section): Entry {
  const whole = text.join(" ");
  return {
    ...{ path: `${path}#${anchorOf(heading)}`, title: "", heading: plain(heading), page: title },
    ...{
      label: `${title}: ${plain(heading)}`,
      about: shortened(names.length > 0 ? names.join(", ") : (sentences[0] ?? "")),
      names: names.join(" "),
      text: whole,
    },
  };
}

interface Section {
  /** As Markdown. */
  readonly heading: string;
  readonly names: string[];
  /** Its paragraphs. */
  readonly sentences: string[];
  /** Its paragraphs, tables and code. */
  readonly text: string[];
}

/** The text before the first heading of level 2 or 3, and the text below each of them. */
function sectionsOf(tokens: readonly Token[], isDivided: boolean): Section[] {
  const sections: Section[] = [];
  let isTable = false;
  let isFirstCell = false;
  for (const [at, { type, tag, content, children, info }] of tokens.entries()) {
    const section = sections.at(-1);
    if (type === "table_open" || type === "table_close") isTable = type === "table_open";
    else if (type === "tr_open") isFirstCell = true;
    else if (type === "td_close") isFirstCell = false;
    else if (type === "heading_open" && (tag === "h1" || isDivided))
      sections.push({ heading: tokens[at + 1]!.content, names: [], sentences: [], text: [] });
    else if (type === "fence" && info !== "json") section?.text.push(content);
    else if (type === "inline" && tokens[at - 1]!.type !== "heading_open") {
      const codes = (children ?? []).filter((child) => child.type === "code_inline");
      if (isFirstCell) section?.names.push(...codes.map((code) => code.content));
      const words = wordsOf(children ?? []);
      section?.text.push(words);
      if (!isTable) section?.sentences.push(words);
    }
  }
  return sections;
}

/** Text without markup. */
function wordsOf(children: readonly Token[]): string {
  return children.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");
}

function plain(heading: string): string {
  return heading.replaceAll("`", "");
}

function shortened(text: string): string {
  if (text.length <= CHARACTERS_OF_ABOUT) return text;
  return `${text.slice(0, text.lastIndexOf(" ", CHARACTERS_OF_ABOUT))} …`;
}

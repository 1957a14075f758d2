import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";
import type { VNode } from "preact";
import { RawHtml } from "../shell/raw-html.tsx";
import type { Highlight } from "./highlight.ts";

interface MarkdownOptions {
  readonly highlight?: Highlight | undefined;
  /** Headings below the first have a link to themselves, to copy. */
  readonly hasAnchors?: boolean;
}

/** Our own Markdown (CommonMark with tables). HTML within it is shown as text. */
export function Markdown({ text, ...options }: MarkdownOptions & { text: string }): VNode {
  return <RawHtml class="prose" html={renderMarkdown(text, options)} />;
}

export function renderMarkdown(markdown: string, options: MarkdownOptions = {}): string {
  return reader.render(markdown, options);
}

/** Markdown of one line, without a paragraph around it. */
export function InlineMarkdown({ text }: { text: string }): VNode {
  return <RawHtml as="span" html={reader.renderInline(text)} />;
}

export function parseMarkdown(markdown: string): Token[] {
  return reader.parse(markdown, {});
}

/** The text before the first heading of level 2, and the text from it on. */
export function splitAtSections(markdown: string): [introduction: string, sections: string] {
  const first = parseMarkdown(markdown).find(({ type, tag }) => type === "heading_open" && tag === "h2");
  if (!first?.map) return [markdown, ""];
  const lines = markdown.split("\n");
  return [lines.slice(0, first.map[0]).join("\n"), lines.slice(first.map[0]).join("\n")];
}

/** The id that GitHub gives a heading, so that links work in both forms of a page. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

const reader = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = reader.renderer;
const { escapeHtml } = reader.utils;

// Wide tables and code blocks scroll on their own; tabindex lets the keyboard scroll them too.
rules.table_open = () => '<section class="wide" tabindex="0"><table>\n';
rules.table_close = () => "</table></section>\n";
rules.th_open = () => '<th scope="col">';
rules.fence = (tokens, at, _options, { highlight = escapeHtml }: MarkdownOptions) => {
  const { content, info } = tokens[at]!;
  return `<pre tabindex="0" data-copy><code>${highlight(content.replace(/\n$/, ""), info)}</code></pre>\n`;
};

// Headings have ids, so that they can be linked to.
rules.heading_open = (tokens, at) => {
  const { tag } = tokens[at]!;
  return tag === "h1" ? "<h1>" : `<${tag} id="${anchorOf(tokens[at + 1]!.content)}">`;
};
rules.heading_close = (tokens, at, _options, { hasAnchors = false }: MarkdownOptions) => {
  const { tag } = tokens[at]!;
  return tag === "h1" || !hasAnchors ? `</${tag}>\n` : `${linkTo(tokens[at - 1]!.content)}</${tag}>\n`;
};

function linkTo(heading: string): string {
  const name = escapeHtml(heading.replaceAll("`", ""));
  return ` <a class="anchor" href="#${anchorOf(heading)}" aria-label="Link to ${name}">#</a>`;
}

// Markdown has no table without heads: one whose heads are empty gets none.
reader.core.ruler.push("empty_heads", ({ tokens }) => {
  for (let start = tokens.length - 1; start >= 0; start--) {
    if (tokens[start]!.type !== "thead_open") continue;
    const end = tokens.findIndex(({ type }, at) => at > start && type === "thead_close");
    const isEmpty = tokens.slice(start, end).every(({ content }) => content === "");
    if (isEmpty) tokens.splice(start, end - start + 1);
  }
});

rules.blockquote_open = () => '<div class="notice">\n';
rules.blockquote_close = () => "</div>\n";

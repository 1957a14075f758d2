import MarkdownIt from "markdown-it";
import type { VNode } from "preact";
import { RawHtml } from "../raw-html.tsx";

/** Our own Markdown (CommonMark with tables). HTML within it is shown as text. */
export function Markdown({ text }: { text: string }): VNode {
  return <RawHtml class="prose" html={renderMarkdown(text)} />;
}

export function renderMarkdown(markdown: string): string {
  return reader.render(markdown);
}

const reader = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = reader.renderer;

// Wide tables and code blocks scroll on their own; tabindex lets the keyboard scroll them too.
rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";
// A head without a text is no head of a column to screen readers.
rules.th_open = (tokens, at) => (tokens[at + 1]!.content === "" ? "<td>" : '<th scope="col">');
rules.th_close = (tokens, at) => (tokens[at - 1]!.content === "" ? "</td>\n" : "</th>\n");
rules.fence = (tokens, at) => {
  const { content } = tokens[at]!;
  return `<pre tabindex="0" data-copy><code>${reader.utils.escapeHtml(content.replace(/\n$/, ""))}</code></pre>\n`;
};

// Headings have ids, so that they can be linked to.
rules.heading_open = (tokens, at) => {
  const { tag } = tokens[at]!;
  return tag === "h1" ? "<h1>" : `<${tag} id="${anchorOf(tokens[at + 1]!.content)}">`;
};

rules.blockquote_open = () => '<div class="notice">\n';
rules.blockquote_close = () => "</div>\n";

/** The id that GitHub gives a heading, so that links work in both forms of a page. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

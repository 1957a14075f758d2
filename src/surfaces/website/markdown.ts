import MarkdownIt from "markdown-it";
import { Html } from "./html.ts";

/** Markdown of our own as HTML: CommonMark with tables. HTML in it is text. */
export function renderMarkdown(markdown: string): Html {
  return new Html(reader.render(markdown));
}

const reader = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = reader.renderer;

// Wide tables and long lines of code scroll by themselves; who has no mouse gets there with the keyboard.
rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";
rules.th_open = () => '<th scope="col">';
rules.fence = (tokens, at) => {
  const { content } = tokens[at]!;
  return `<pre tabindex="0"><code>${reader.utils.escapeHtml(content.replace(/\n$/, ""))}</code></pre>\n`;
};

// Headings can be linked to.
rules.heading_open = (tokens, at) => {
  const { tag } = tokens[at]!;
  return tag === "h1" ? "<h1>" : `<${tag} id="${anchorOf(tokens[at + 1]!.content)}">`;
};

rules.blockquote_open = () => '<div class="notice">\n';
rules.blockquote_close = () => "</div>\n";

/** As GitHub makes them, so that a link fits both forms of a page. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

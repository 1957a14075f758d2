import { expect, test } from "vitest";
import { renderMarkdown, splitAtSections } from "../../../../../src/surfaces/website/public/markdown.tsx";

test("a heading of the docs has a link to itself, with a name", () => {
  const html = renderMarkdown("# Page\n\n## The `ROLE` & more\n", { hasAnchors: true });
  expect(html).toBe(
    '<h1>Page</h1>\n<h2 id="the-role--more">The <code>ROLE</code> &amp; more <a class="anchor" href="#the-role--more" aria-label="Link to The ROLE &amp; more">#</a></h2>\n',
  );
  expect(renderMarkdown("## Section")).toBe('<h2 id="section">Section</h2>\n');
});

test("code is what the highlighter makes of it", () => {
  const highlight = (code: string, language: string) => `[${language}: ${code}]`;
  expect(renderMarkdown("```sh\nls\n```", { highlight })).toBe(
    '<pre tabindex="0" data-copy><code>[sh: ls]</code></pre>\n',
  );
});

test.each([
  ["# A\n\nText.\n\n## B\n\nMore.", ["# A\n\nText.\n", "## B\n\nMore."]],
  ["# A\n\n```\n## no heading\n```\n\n## B", ["# A\n\n```\n## no heading\n```\n", "## B"]],
  ["# A\n\nText.", ["# A\n\nText.", ""]],
])("a page is divided before its first section: %j", (markdown, expected) => {
  expect(splitAtSections(markdown)).toEqual(expected);
});

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHighlight, loadHighlight } from "../../../../../src/surfaces/website/public/highlight.ts";

const highlight = await loadHighlight();

/** The text that HTML shows. */
function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

test.each([
  ["sh", `curl "https://example.com/?a=1&b=2" \\\n  -d '{"a": "<b>"}' # sends`, "comment"],
  ["js", "const response = await fetch(`https://host/`);\nconsole.log(1 < 2, true);", "keyword"],
  ["python", `import os\nprint(f"Bearer {os.environ['KEY']}", None)`, "string"],
  ["json", '{\n  "a": [1, true, null, "<b>"]\n}', "constant"],
  ["ini", "archive_mode = on\n# a comment", "comment"],
])("%s: the kinds of tokens become classes, and the text stays what it was", (language, code, kind) => {
  const html = highlight(code, language);
  expect(textOf(html)).toBe(code);
  expect(html).toContain(`<span class="hl-${kind}">`);
  expect(html).not.toMatch(/style=|<(?!span class="hl-[a-z]+">|\/span>)/);
});

test.each(["text", "", "cobol", "__proto__"])("a language without a grammar is only escaped: %s", (language) => {
  expect(highlight(`<b>"&"</b>`, language)).toBe("&#60;b&#62;&#34;&#38;&#34;&#60;/b&#62;");
});

test("other requests are answered between the patterns that are compiled: there are more than a hundred turns", async () => {
  let isLoading = true;
  const loaded = createHighlight().then(() => {
    isLoading = false;
  });
  let turns = 0;
  for (; isLoading; turns++) await nextTurn();
  await loaded;
  expect(turns).toBeGreaterThan(100);
});

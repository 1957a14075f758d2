import { expect, test } from "vitest";
import { EVERYTHING } from "../../../../scripts/snapshots.ts";
import { llmsFullText, llmsText } from "../../../../src/surfaces/discovery/llms.ts";
import { type Document, documentsOf, markdownPath } from "../../../../src/surfaces/docs/index.ts";

const { siteUrl } = EVERYTHING;
const documents = documentsOf(EVERYTHING);
const text = llmsText(EVERYTHING, documents);

/** The form of llmstxt.org: a title, a quotation, text without headings, then sections that are lists of links. */
test("llms.txt has the format of llmstxt.org", () => {
  const [head, ...sections] = text.split(/^## /m);
  expect(head).toMatch(/^# Beckon\n\n> \S.*\n\n/);
  expect(head).not.toMatch(/^#{2,}/m);
  expect(sections.length).toBeGreaterThan(4);
  expect(sections.at(-1)).toMatch(/^Optional\n/);
  for (const section of sections)
    for (const line of section.trim().split("\n").slice(2))
      expect(line).toMatch(/^- \[.+\]\(https:\/\/beckon\.example\/\S+\): \S/);
});

test("llms.txt lists every document once, as Markdown, and the descriptions of the service", () => {
  for (const { path } of documents) expect(text.split(`(${siteUrl}${markdownPath(path)})`), path).toHaveLength(2);
  for (const path of ["/openapi.json", "/mcp/server-card", "/.well-known/agent-card.json", "/.well-known/api-catalog"])
    expect(text).toContain(`(${siteUrl}${path})`);
  expect(text.length).toBeLessThan(21_000);
});

test("llms-full.txt has the full text of every document, with its address", () => {
  const full = llmsFullText(EVERYTHING, documents);
  for (const { path, markdown } of documents) {
    expect(full).toContain(`<!-- ${siteUrl}${markdownPath(path)} -->\n\n`);
    expect(full).toContain(markdown.split("\n")[0]);
  }
  expect(full).not.toMatch(/\]\(\//);
});

test("llms-full.txt links to Markdown where there is some", () => {
  const one = (path: string, markdown: string): Document => ({ path, title: path, summary: path, markdown });
  const both = [
    one("/a", "# A\n\n[B](/b#part), [OpenAPI](/openapi.json), [else](https://example.com/b)"),
    one("/b", "# B"),
  ];
  const full = llmsFullText({ siteUrl: "https://x.example" }, both);
  expect(full).toContain("[B](https://x.example/b.md#part)");
  expect(full).toContain("[OpenAPI](https://x.example/openapi.json)");
  expect(full).toContain("[else](https://example.com/b)");
});

test("brackets in a title are escaped", () => {
  const odd = [{ path: "/a", title: "Lists [1]", summary: "Odd.", section: "Get started", markdown: "" }] as const;
  expect(llmsText(EVERYTHING, odd)).toContain(String.raw`- [Lists \[1\]](${siteUrl}/a.md): Odd.`);
});

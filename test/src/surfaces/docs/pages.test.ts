import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { documentsOf, markdownPath } from "../../../../src/surfaces/docs/index.ts";
import { PAGES, pageOf, sharedValues } from "../../../../src/surfaces/docs/page.ts";
import { placeholdersOf } from "../../../../src/surfaces/docs/template.ts";

const config = readConfig({});
const PASSAGES = "passages/";
const files = readdirSync(PAGES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const texts = new Map(files.map((name) => [name, readFileSync(join(PAGES, name), "utf8")]));
const all = [...texts.values()].join("\n");

test("law: every file is the page at its path, or a passage that a page has", () => {
  const paths = documentsOf(config).map(({ path }) => markdownPath(path).slice(1));
  const pages = files.filter((name) => !name.startsWith(PASSAGES));
  expect(pages.length).toBeGreaterThan(25);
  expect(pages.filter((name) => !paths.includes(name))).toEqual([]);
  const passages = files.filter((name) => name.startsWith(PASSAGES)).map((name) => name.slice(PASSAGES.length, -3));
  expect(passages.filter((name) => !all.includes(`{{> ${name}}}`))).toEqual([]);
});

test("law: every value that all pages may take is taken by one", () => {
  const named = placeholdersOf(all);
  expect(Object.keys(sharedValues(config)).filter((name) => !named.has(name))).toEqual([]);
});

test("law: no page has the day of a check in figures", () => {
  const inFigures = [...texts].filter(([, text]) => /\bday\s\d/i.test(text)).map(([name]) => name);
  expect(inFigures).toEqual([]);
});

test("law: a page takes every value that it is given, and has a value for every placeholder", () => {
  expect(() => pageOf("/terms", config, { more: "x" })).toThrow("terms.md: There is no placeholder for more.");
  expect(() => pageOf("/bot", config)).toThrow(/^bot\.md: There is no value for userAgent, /);
});

import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What people read: pages, mails, refusals, what commands and agents say, and documents. */
const READ = [
  "src/surfaces/**/*.{ts,tsx,md}",
  "src/domain/**/{templates,layout}/*.ts",
  "src/domain/projects/*.ts",
  "src/platform/roles.ts",
  "src/platform/errors/*.ts",
  "src/commands/**/*.ts",
  "packages/client/src/**/*.ts",
  "tools/*.ts",
  "a2a/**/*.ts",
  // performance.md is a record of measurements.
  "docs/!(performance).md",
  "skills/**/*.md",
  "{README,CHANGELOG,SECURITY,CONTRIBUTING}.md",
  "packages/client/README.md",
  "action.yml",
];

/** Phrases that nobody says, and what to say. */
const UNSAID: Readonly<Record<string, string>> = {
  "at most in all": "limit in total",
  "it goes on\\.": "the watch continues",
  "rate of decided": "a rate of what it is a rate of",
  "\\b(your|their|the|person's) yes\\b(?! or no)|\\ba yes\\b": "approval",
  "\\b1 credits\\b": "1 credit: formatCount",
  "empty is no limit": "leave a field empty for no limit",
  "one (a|setting a) line": "one per line",
  "used no more": "no longer used",
  "has no access any more": "no longer has access",
  "\\bis no list\\b|\\bis no number\\b": "is not a …",
  "\\banew\\b": "again",
  "\\b(says|say|said) something of\\b": "about",
  "what is due\\b": "name it",
  "does not suffice": "is not enough",
  "\\bgets? [^.]*into google": "submits pages: nobody can promise more",
  "only says to be": "only claims to be",
  "no member any more": "a former member",
};

/** A document without the titles of tests that it quotes, on the same lines. */
function withoutTitles(text: string): string {
  return text.replace(/“[^”]*”/g, (title) => title.replace(/[^\n]/g, ""));
}

test("law: no text that people read has a phrase that nobody says", () => {
  const found = globSync(READ).flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const lines = (path.endsWith(".md") ? withoutTitles(text) : text).split("\n");
    return lines.flatMap((line, at) => {
      if (/^\s*(\/?\*|\/\/)/.test(line)) return [];
      const wrong = Object.entries(UNSAID).filter(([phrase]) => new RegExp(phrase, "i").test(line));
      return wrong.map(([phrase, say]) => `${path}:${at + 1}: “${phrase}”. Say: ${say}`);
    });
  });
  expect(found).toEqual([]);
});

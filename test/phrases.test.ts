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
  "docs/{operations,pages,settings}.md",
  "README.md",
];

/** Phrases that nobody says, and what to say. */
const UNSAID: Readonly<Record<string, string>> = {
  "at most in all": "limit in total",
  "it goes on\\.": "the watch continues",
  "rate of decided": "a rate of what it is a rate of",
  "(your|a|the) yes\\b(?! or no)": "approval",
  "\\b1 credits\\b": "1 credit: formatCount",
  "empty is no limit": "leave a field empty for no limit",
  "one a line": "one per line",
  "(is|are|was) used no more": "is no longer used",
  "only says to be": "only claims to be",
  "no member any more": "a former member",
  "gets? (your )?pages into google": "submits pages: nobody can promise more",
};

test("law: no text that people read has a phrase that nobody says", () => {
  const found = globSync(READ).flatMap((path) => {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.flatMap((line, at) => {
      if (/^\s*(\/?\*|\/\/)/.test(line)) return [];
      const wrong = Object.entries(UNSAID).filter(([phrase]) => new RegExp(phrase, "i").test(line));
      return wrong.map(([phrase, say]) => `${path}:${at + 1}: “${phrase}”. Say: ${say}`);
    });
  });
  expect(found).toEqual([]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { INCLUDED, RULES } from "../support/checks/build-context.ts";

test("the build context holds sources only: no settings, keys, data or backups", () => {
  expect(RULES[0]).toBe("*");
  // After what is let in, so that it holds there too.
  expect(RULES.at(-1)).toBe("**/.env*");
  const sources = ["a2a", "db", "packages", "rest", "scripts", "skills", "src", "tools"];
  const settings = ["package.json", "package-lock.json", "server.json", "tsconfig.json"];
  const documents = [
    "docs",
    ...["CHANGELOG", "CONTRIBUTING", "README", "SECURITY"].map((name) => `${name}.md`),
    "LICENSE",
  ];
  // That it is enough is shown by test/package.test.ts, which packs what is given here, and by image.test.ts.
  expect(new Set(INCLUDED)).toEqual(new Set([...sources, ...settings, ...documents]));
});

test("secrets of a deployment are ignored by git too", () => {
  const ignored = readFileSync(join(packageRoot, ".gitignore"), "utf8").split("\n");
  for (const path of [".env*", "deploy/beckon.env", "deploy/tls/", "data/"]) expect(ignored).toContain(path);
});

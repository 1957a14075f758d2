import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../db/package-root.ts";

const DOCUMENTS = readdirSync(join(packageRoot, "docs")).flatMap((name) =>
  name.endsWith(".md") ? `docs/${name}` : [],
);

test.each(["README.md", "CONTRIBUTING.md", ...DOCUMENTS])(
  "every link of %s within the tree leads to a file",
  (path) => {
    expect(linked(path).filter((link) => !existsSync(join(packageRoot, link)))).toEqual([]);
  },
);

test("the README leads to every document, to what deploys the service and to how it is operated", () => {
  expect(linked("README.md")).toEqual(
    expect.arrayContaining(["deploy", "src/surfaces/docs/operating.ts", ...DOCUMENTS]),
  );
});

/** Paths from the root of the tree that a Markdown file links to. */
function linked(path: string): string[] {
  const text = readFileSync(join(packageRoot, path), "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, link]) => link!);
  return links.filter((link) => !/^https?:/.test(link)).map((link) => join(dirname(path), link));
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/platform/package-root.ts";

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const namesIn = (folder: string) => readdirSync(join(packageRoot, folder));
const foldersIn = (folder: string) =>
  readdirSync(join(packageRoot, folder), { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? [join(folder, one.name)] : [],
  );

const IN_DOCS = namesIn("docs").flatMap((name) => (name.endsWith(".md") ? `docs/${name}` : []));
const DOCUMENTS = [...namesIn(".").filter((name) => name.endsWith(".md")), ...IN_DOCS];

/** Folders that are made by building and running, and are not committed. */
const MADE = ["node_modules", "dist", "data", "coverage"];

test.each(DOCUMENTS)("every link of %s within the tree leads to a file, and to a heading there", (path) => {
  expect(linksOf(path).filter((link) => !isThere(link))).toEqual([]);
});

test.each(DOCUMENTS)("every path that %s names exists", (path) => {
  expect(pathsIn(read(path)).filter((named) => !existsSync(join(packageRoot, named)))).toEqual([]);
});

test("the README links to every document, to deployment and to operation, within two screens", () => {
  const text = read("README.md");
  expect(linksOf("README.md").map(({ to }) => to)).toEqual(
    expect.arrayContaining(["CONTRIBUTING.md", "docs/images/project.png", ...IN_DOCS]),
  );
  for (const named of ["`deploy/`", "`/docs/operating`"]) expect(text).toContain(named);
  expect(text.split("\n").length).toBeLessThan(150);
});

test("CONTRIBUTING says what each folder is for", () => {
  const text = read("CONTRIBUTING.md");
  const top = foldersIn(".").filter((folder) => !folder.startsWith(".") && ![...MADE, "src"].includes(folder));
  const folders = [...top, ...foldersIn("src").flatMap((room) => [room, ...foldersIn(room)])];
  const isNamed = (folder: string) => text.includes(`\`${folder}/`);
  expect(folders.filter((folder) => !isNamed(folder)).map((folder) => `${folder}: add a row for it`)).toEqual([]);
});

test.each([
  ["a link to no file", "[x](docs/gone.md)", () => linksIn("[x](docs/gone.md)", "README.md").every(isThere)],
  ["a link to no heading", "[x](#gone)", () => linksIn("[x](#gone)", "README.md").every(isThere)],
  ["a path to no file", "`src/gone.ts`", () => pathsIn("as `src/gone.ts` does").every((one) => existsSync(one))],
])("a planted fault is found: %s: %s", (_, __, isFine) => {
  expect(isFine()).toBe(false);
});

interface Link {
  /** From the root of the tree. */
  readonly to: string;
  /** Name of a heading, as GitHub makes it. */
  readonly heading: string | undefined;
}

function linksOf(path: string): Link[] {
  return linksIn(read(path), path);
}

function linksIn(text: string, path: string): Link[] {
  const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)/g)].map(([, link]) => link!);
  return links
    .filter((link) => !/^(?:https?|mailto):/.test(link))
    .map((link) => {
      const [file = "", heading] = link.split("#");
      return { to: file === "" ? path : join(dirname(path), file).replace(/\/$/, ""), heading };
    });
}

function isThere({ to, heading }: Link): boolean {
  if (!existsSync(join(packageRoot, to))) return false;
  if (heading === undefined) return true;
  const headings = [...withoutBlocks(read(to)).matchAll(/^#+ (.*)$/gm)].map(([, words]) =>
    words!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(heading);
}

/** What stands in code marks and looks like a file or a folder of the tree. */
function pathsIn(text: string): string[] {
  // A tool's file has an extension; `tools/call` is a method of MCP.
  const TREE = /^(?:src|rest|a2a|db|test|docs|scripts|bench|demo|deploy|contracts)\/[\w./-]*$|^tools\/(?:[\w-]+\.ts)?$/;
  const marked = [...withoutBlocks(text).matchAll(/`([^`\s]+)`/g)].map(([, marked]) => marked!);
  return marked.filter((path) => TREE.test(path));
}

function withoutBlocks(text: string): string {
  return text.replace(/```[\s\S]*?```/g, "");
}

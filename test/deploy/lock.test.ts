import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/platform/config/config.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { pageOf } from "../../src/surfaces/docs/page.ts";

type Names = Readonly<Record<string, string>>;

/** An entry of `packages` in package-lock.json; the project's own is under the empty path. */
interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
}

type Lock = Readonly<Record<string, Locked>>;

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const lockIn = (folder: string): Lock => JSON.parse(read(join(folder, "package-lock.json"))).packages;
const lock = lockIn(".");
const entries = Object.entries(lock);

test.each([
  [".", 300],
  ["bench", 50],
  ["test/clients", 300],
  ["test/mutation", 100],
])("the lock file in %s has every dependency of each of its packages, in a version that fits", (folder, least) => {
  const lock = lockIn(folder);
  const entries = Object.entries(lock);
  expect(entries.length).toBeGreaterThan(least);
  expect(entries.flatMap(([path, { dependencies }]) => missing(lock, path, dependencies))).toEqual([]);
  for (const [path, { integrity, resolved }] of entries.filter(([path]) => path !== "")) {
    expect(integrity, path).toMatch(/^sha512-/);
    // From whatever registry whoever installs it uses.
    expect(resolved, path).toBeUndefined();
  }
});

test("the lock file is complete for every platform that the service runs on", () => {
  const ofService = entries.filter(([path, { dev }]) => path !== "" && !dev);
  expect(ofService.length).toBeGreaterThan(100);
  expect(ofService.flatMap(([path, { optionalDependencies }]) => missing(lock, path, optionalDependencies))).toEqual(
    [],
  );
});

test("no document tells to install with `npm ci` while npm would refuse the lock file", () => {
  const absent = entries.flatMap(([path, { optionalDependencies }]) => missing(lock, path, optionalDependencies));
  const texts = {
    "/docs/operating": pageOf("/docs/operating", readConfig({})).markdown,
    ...Object.fromEntries(
      ["README.md", "CONTRIBUTING.md", ...readdirSync(join(packageRoot, "deploy")).map((name) => `deploy/${name}`)]
        .filter((path) => /\.(?:md|service|yaml)$|file$/.test(path))
        .map((path) => [path, read(path)]),
    ),
  };
  // In backquotes it is spoken of.
  const advising = Object.entries(texts).filter(([, text]) => /(?<!`)npm ci\b/.test(text));
  expect(advising.length === 0 || absent.length === 0, `${advising.map(([path]) => path)}: ${absent}`).toBe(true);
});

test("a package missing in the lock file is found, also a nested one", () => {
  const small: Lock = {
    "": { dependencies: { a: "1" } },
    "node_modules/a": { optionalDependencies: { b: "1", c: "1", d: "1" } },
    "node_modules/a/node_modules/b": { optionalDependencies: { c: "1", d: "1" } },
    "node_modules/c": {},
    "node_modules/other/node_modules/d": {},
  };
  const found = Object.entries(small).flatMap(([path, one]) => missing(small, path, one.optionalDependencies));
  expect(found).toEqual(["d, of node_modules/a", "d, of node_modules/a/node_modules/b"]);
});

/** Of these names, those that Node would not find from that package. */
function missing(packages: Lock, path: string, names: Names = {}): string[] {
  const folders = path.split("/node_modules/").map((_, n, parts) => parts.slice(0, n + 1).join("/node_modules/"));
  const places = ["", ...folders.filter((folder) => folder !== "").map((folder) => `${folder}/`)];
  return Object.keys(names)
    .filter((name) => !places.some((place) => `${place}node_modules/${name}` in packages))
    .map((name) => `${name}, of ${path || "the project"}`);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/platform/package-root.ts";
import type { Exceptions } from "./exceptions.ts";

/** Licences that require nothing but keeping their notice (SPDX identifiers). */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
]);

export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, or the text in its place; "" where the package names no licence. */
  readonly licence: string;
  readonly isDevelopment: boolean;
}

/** What npm has installed, with the licence that each package states itself. */
export function installedPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(packageRoot, "node_modules/.package-lock.json"), "utf8"));
  const entries = Object.entries(lock.packages as Record<string, { version: string; dev?: boolean; license?: string }>);
  return entries.map(([path, { version, dev = false, license }]) => ({
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    version,
    licence: statedIn(join(packageRoot, path, "package.json")) ?? license ?? "",
    isDevelopment: dev,
  }));
}

/** Old packages state an object, or a list of them. */
function statedIn(manifest: string): string | null {
  if (!existsSync(manifest)) return null;
  const { license, licenses } = JSON.parse(readFileSync(manifest, "utf8"));
  const stated = license ?? licenses;
  if (stated === undefined) return null;
  return [stated]
    .flat()
    .map((one) => (typeof one === "string" ? one : one.type))
    .join(" OR ");
}

/** Packages whose licence is neither allowed nor excepted, and exceptions that nothing needs any more. */
export function licenceProblems(packages: readonly Package[], { licences }: Pick<Exceptions, "licences">): string[] {
  const needed = new Set<object>();
  const problems = packages.flatMap(({ name, version, licence, isDevelopment }) => {
    if (isAllowed(licence)) return [];
    const exception = licences.find((one) => fits(one.package, name) && one.licence === licence);
    if (exception && isDevelopment) {
      needed.add(exception);
      return [];
    }
    const shipped = isDevelopment ? "" : ", which is shipped,";
    return [`${name} ${version}${shipped} is under ${licence || "no stated licence"}: not allowed, and not excepted`];
  });
  const idle = licences.filter((one) => !needed.has(one));
  return [...problems, ...idle.map((one) => `the exception for ${one.package} is not needed any more: remove it`)];
}

/** Whether one may choose an allowed licence: SPDX expressions of OR, AND and parentheses. */
export function isAllowed(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const term = (): boolean => {
    const token = tokens[at++];
    if (token !== "(") return token !== undefined && ALLOWED.has(token);
    const inner = either();
    return tokens[at++] === ")" && inner;
  };
  const both = (): boolean => {
    let result = term();
    while (tokens[at] === "AND") {
      at += 1;
      result = term() && result;
    }
    return result;
  };
  const either = (): boolean => {
    let result = both();
    while (tokens[at] === "OR") {
      at += 1;
      result = both() || result;
    }
    return result;
  };
  const result = either();
  return result && at === tokens.length;
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

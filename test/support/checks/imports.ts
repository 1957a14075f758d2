import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { filesBelow } from "./files-below.ts";

/** A source file, by its path from the root of the project. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** A path from the root of the project, or the name of a package or a module of Node. */
  readonly to: string;
  readonly isOurs: boolean;
  readonly isType: boolean;
}

export function sourcesIn(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    filesBelow(join(packageRoot, folder))
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name))
      .map((path) => ({ path, text: readFileSync(join(packageRoot, path), "utf8") })),
  );
}

const FROM = /^(?:import|export)(\s+type)?\s([^;"]*?)\bfrom\s+"([^"]+)"/gm;
const BARE = /^import\s+"([^"]+)"|\bimport\("([^"]+)"\)|new URL\("(\.[^"]+\.tsx?)"/gm;
const ONLY_TYPES = /^\s*\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}\s*$/;

/** Finds all imports of a file: static, dynamic, re-exports, and URLs of modules. */
export function importsOf({ path, text }: Source): Import[] {
  // Away from the beginning of a line, an import may stand in a comment or a template.
  const code = withoutComments(text).replace(TEMPLATE, "``");
  const toImport = (from: string, isType: boolean): Import => {
    const isOurs = from.startsWith(".");
    return { to: isOurs ? normalize(join(dirname(path), from)) : from, isOurs, isType };
  };
  return [
    ...[...text.matchAll(FROM)].map(([, type, names, from]) => toImport(from!, !!type || ONLY_TYPES.test(names!))),
    ...[...code.matchAll(BARE)].map(([, bare, dynamic, url]) => toImport((bare ?? dynamic ?? url)!, false)),
  ];
}

/** The text without comments, and with its strings empty. */
export function codeOf({ text }: Source): string {
  return withoutComments(text)
    .replace(TEMPLATE, "``")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}

const TEMPLATE = /`(?:[^`\\]|\\.)*`/g;

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "");
}

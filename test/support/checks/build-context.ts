import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Rules of .dockerignore, in their order. */
export const RULES: readonly string[] = readFileSync(join(packageRoot, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Files and folders at the root that it lets into the build of an image. */
export const INCLUDED: readonly string[] = RULES.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));

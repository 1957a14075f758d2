import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** The rules of .dockerignore, in order. */
export const RULES: readonly string[] = readFileSync(join(packageRoot, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Files and folders at the root that .dockerignore lets into the build context of an image. */
export const INCLUDED: readonly string[] = RULES.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));

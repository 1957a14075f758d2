import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.ts";
import type { Document } from "./document.ts";

/** The CHANGELOG.md of the package. */
export function changelogDocument(): Document {
  return {
    path: "/docs/changelog",
    title: "Changelog",
    summary: "What changed in each version.",
    section: "Reference",
    markdown: readFileSync(join(packageRoot, "CHANGELOG.md"), "utf8"),
  };
}

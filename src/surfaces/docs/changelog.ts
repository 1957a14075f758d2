import { existsSync, readFileSync } from "node:fs";
import type { Document } from "./document.ts";

/** The CHANGELOG.md of the package. */
export function changelogDocument(): Document {
  return {
    path: "/docs/changelog",
    title: "Changelog",
    summary: "What changed in each version.",
    section: "Reference",
    markdown: readFileSync(changelogFile(), "utf8"),
  };
}

/** It is beside package.json: three folders above this file, or four above the built one. */
function changelogFile(): URL {
  const above = new URL("../../../CHANGELOG.md", import.meta.url);
  return existsSync(above) ? above : new URL("../../../../CHANGELOG.md", import.meta.url);
}

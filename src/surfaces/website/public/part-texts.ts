import type { Part } from "../../docs/index.ts";

/** The Markdown in a part of a page. */
export function textsOf(part: Part): readonly string[] {
  if (typeof part === "string") return [part];
  if (part.kind === "tabs") return part.tabs.map(({ title, markdown }) => `## ${title}\n\n${markdown}`);
  return part.kind === "columns" ? part.texts : [];
}

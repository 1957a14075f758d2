import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** Renders a complete HTML document. */
export function renderDocument(document: VNode): string {
  return `<!doctype html>\n${renderToString(document)}\n`;
}

import type { Document, Section } from "../docs/index.ts";
import { type Html, html } from "./html.ts";

/** Without Errors, of which there are more than of all others; the page /docs/errors lists them. */
const SECTIONS: readonly Section[] = ["Get started", "Guides", "Reference", "Operations"];

/** The navigation of the docs, for the page at `path`. */
export function docsNav(documents: readonly Document[], path: string): Html {
  const sections = SECTIONS.map((section) => {
    const entries = documents.filter((one) => one.section === section).map((one) => entry(one, path));
    return html`<h2>${section}</h2><ul>${entries}</ul>\n`;
  });
  return html`<nav class="contents" id="contents" aria-label="Docs">${sections}</nav>`;
}

function entry({ path, title }: Document, here: string): Html {
  return html`<li><a href="${path}"${path === here ? html` aria-current="page"` : ""}>${title}</a></li>`;
}

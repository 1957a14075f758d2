import type { VNode } from "preact";
import type { Document, Section } from "../../docs/index.ts";

/** Without Errors, of which there are more than of all others; the page /docs/errors lists them. */
const SECTIONS: readonly Section[] = ["Get started", "Guides", "Reference", "Operations"];

/** The navigation of the docs, for the page at `path`. */
export function DocsNav({ documents, path }: { documents: readonly Document[]; path: string }): VNode {
  return (
    <nav class="contents" id="contents" aria-label="Docs">
      {SECTIONS.map((section) => (
        <section key={section}>
          <h2>{section}</h2>
          <ul>
            {documents
              .filter((one) => one.section === section)
              .map((one) => (
                <li key={one.path}>
                  <a href={one.path} aria-current={one.path === path ? "page" : undefined}>
                    {one.title}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

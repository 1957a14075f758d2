import type { VNode } from "preact";
import { SIZES } from "../../../platform/sizes.ts";
import { type Document, SECTIONS } from "../../docs/index.ts";

export const SEARCH_PATH = "/docs/search";
export const INDEX_PATH = "/docs/search.json";

interface DocsNavProps {
  readonly documents: readonly Document[];
  /** The path of the open page. */
  readonly path: string;
}

/**
 * The navigation of the docs. On a desk it stands next to the page. On a phone a button opens it over the page; browsers
 * without popovers show it below the page.
 */
export function DocsNav({ documents, path }: DocsNavProps): VNode {
  return (
    <nav class="docs-nav" id="docs-nav" aria-label="Docs" popover="auto">
      <button type="button" class="quiet small docs-menu" popovertarget="docs-nav" popovertargetaction="hide">
        Close
      </button>
      {SECTIONS.map((section) => (
        <section key={section}>
          <h2>{section}</h2>
          <ul>
            {documents
              .filter((one) => one.section === section)
              .map((one) => (
                <li key={one.path}>
                  <a href={one.path} aria-current={currentOf(one.path, path)}>
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

/** The page of an error is not listed, but belongs to the list of errors. */
function currentOf(path: string, current: string): "page" | "true" | undefined {
  if (path === current) return "page";
  return path === "/docs/errors" && current.startsWith("/docs/errors/") ? "true" : undefined;
}

/** The search of the docs and, on a phone, the button for the navigation. The script shows results as one types. */
export function DocsTools({ query = "" }: { query?: string }): VNode {
  return (
    <div class="docs-tools">
      <search>
        <form class="docs-search" method="get" action={SEARCH_PATH} data-index={INDEX_PATH}>
          <input
            type="search"
            name="q"
            value={query}
            maxLength={SIZES.search}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-label="Search the docs"
            placeholder="Search the docs"
          />
          <div class="docs-results" hidden>
            <p class="visually-hidden" role="status" />
            <ul />
          </div>
        </form>
      </search>
      <button type="button" class="quiet docs-menu" popovertarget="docs-nav">
        Menu
      </button>
      <a class="docs-menu-link" href="#docs-nav">
        Menu
      </a>
    </div>
  );
}

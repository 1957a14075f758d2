import type { VNode } from "preact";
import type { DocsResult } from "../browser/docs-index.ts";

/** The page of results, for readers without a script and for readers who want more results. */
export function SearchResults({ query, results }: { query: string; results: readonly DocsResult[] }): VNode {
  return (
    <>
      <h1>{query === "" ? "Search the docs" : `Search: ${query}`}</h1>
      {query === "" ? (
        <p>Type a word: the name of an operation, the code of an error, a setting, a command.</p>
      ) : results.length === 0 ? (
        <p>
          Nothing is found. <a href="/docs">All pages of the docs</a>
        </p>
      ) : (
        <ResultList results={results} />
      )}
    </>
  );
}

/** The page for a path under /docs that does not exist. */
export function MissingPage({ similar }: { similar: readonly DocsResult[] }): VNode {
  return (
    <>
      <h1>There is no page at this address.</h1>
      {similar.length > 0 && (
        <>
          <p>You may be looking for one of these:</p>
          <ResultList results={similar} />
        </>
      )}
      <p>
        <a href="/docs">All pages of the docs</a>
      </p>
    </>
  );
}

function ResultList({ results }: { results: readonly DocsResult[] }): VNode {
  return (
    <ul class="results">
      {results.map(({ path, label, about }) => (
        <li key={path}>
          <a href={path}>{label}</a>
          <p class="soft">{about}</p>
        </li>
      ))}
    </ul>
  );
}

import { type RequestHandler, type Response, Router } from "express";
import { SIZES } from "../../../platform/sizes.ts";
import type { Document } from "../../docs/index.ts";
import { searchDocs } from "../browser/docs-index.ts";
import type { Offers } from "../shell/deployment.tsx";
import { layout, type Page, pageHeaders } from "../shell/layout.tsx";
import { wantsHtml } from "../shell/wants-html.ts";
import { INDEX_PATH, SEARCH_PATH } from "./docs-nav.tsx";
import { docsFrame } from "./document-page.tsx";
import { once, send, withETag } from "./rendered-file.ts";
import { buildDocsIndex, similarPages } from "./search-index.ts";
import { MissingPage, SearchResults } from "./search-page.tsx";

const MOST_RESULTS = 30;
const MOST_SIMILAR = 5;

/** Routes of the search of the docs: its index for browsers, its page of results, and what is similar to a missing page. */
export function searchRoutes(documents: readonly Document[], offers: Offers): Router {
  const router = Router();
  const index = once(() => buildDocsIndex(documents));
  const file = once(() =>
    withETag(JSON.stringify(index()), {
      "Cache-Control": "public, max-age=300",
      "Content-Type": "application/json; charset=utf-8",
    }),
  );
  router.get(INDEX_PATH, (_req, res) => send(res, file()));

  router.get(SEARCH_PATH, (req, res) => {
    const query = String(req.query.q ?? "")
      .slice(0, SIZES.search)
      .trim();
    const results = query === "" ? [] : searchDocs(index(), query, MOST_RESULTS);
    const body = <SearchResults query={query} results={results} />;
    sendPage(res, { ...docsFrame(documents, SEARCH_PATH, query), title: "Search - Beckon", body }, offers);
  });

  const showMissing: RequestHandler = (req, res, next) => {
    if (!wantsHtml(req)) return next();
    const similar = similarPages(index(), req.path, MOST_SIMILAR);
    const page = { title: "Page not found - Beckon", body: <MissingPage similar={similar} /> };
    sendPage(res.status(404), { ...docsFrame(documents, req.path), ...page }, offers);
  };
  router.get("/docs/{*path}", showMissing);
  return router;
}

function sendPage(res: Response, page: Page, offers: Offers): void {
  res.set(pageHeaders({ forms: [] })).set("Cache-Control", "no-store");
  res.vary("Accept").type("html").send(layout(page, offers));
}

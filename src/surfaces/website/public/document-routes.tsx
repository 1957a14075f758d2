import express, { type RequestHandler, type Router } from "express";
import type { Config } from "../../../platform/config/config.ts";
import { ICON_PATHS } from "../../../platform/icons.ts";
import {
  type Document,
  documentsOf,
  markdownPath,
  postmanCollection,
  TIMELINE_CSP,
  TIMELINE_PATH,
  TIMELINE_SVG,
} from "../../docs/index.ts";
import { CORS } from "../../http-server/cors.ts";
import { ICON_SVG } from "../shell/icon.ts";
import { layout, pageHeaders } from "../shell/layout.tsx";
import { documentPage } from "./document-page.tsx";
import { loadHighlight } from "./highlight.ts";
import { once, type RenderedFile, send, withETag } from "./rendered-file.ts";
import { searchRoutes } from "./search-routes.tsx";

/** Caches keep a public document for 5 minutes, then ask for its ETag. */
const CACHE = { "Cache-Control": "public, max-age=300" };

/** Routes of the public documents, each rendered once: as HTML, and as Markdown for clients that ask for it; and of their search. */
export function documentRoutes(config: Config): Router {
  const documents = documentsOf(config);
  const router = express.Router();
  const pages = new Map(documents.flatMap((one) => routesOf(one, documents, config)));
  router.use((req, res, next) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const page = isRead ? pages.get(req.path.replace(/(?<=.)\/$/, "")) : undefined;
    if (page) return page(req, res, next);
    next();
  });
  for (const [path, svg, policy] of PICTURES) {
    const picture = withETag(svg, { ...CACHE, "Content-Type": "image/svg+xml", "Content-Security-Policy": policy });
    router.get(path, (_req, res) => send(res, picture));
  }
  const postman = withETag(JSON.stringify(postmanCollection(config)), { ...CACHE, ...CORS, "Content-Type": JSON_TYPE });
  router.get("/postman.json", (_req, res) => send(res, postman));
  for (const [name, url] of Object.entries(config.policies))
    if (url !== undefined) router.get(`/${name}`, (_req, res) => res.set(CACHE).redirect(302, url));
  router.use(searchRoutes(documents, config));
  return router;
}

const PICTURES = [
  [TIMELINE_PATH, TIMELINE_SVG, TIMELINE_CSP],
  [ICON_PATHS.svg, ICON_SVG, "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** Some clients name the charset in Accept. */
const MARKDOWN = ["text/markdown", "text/markdown;charset=utf-8"];

const JSON_TYPE = "application/json; charset=utf-8";

function routesOf(document: Document, all: readonly Document[], config: Config): [string, RequestHandler][] {
  const { path } = document;
  const pathOfMarkdown = markdownPath(path);
  const htmlFile = once(() => htmlOf(document, all, config));
  const markdownFile = once(() =>
    withETag(absolute(document.markdown, config.siteUrl), {
      ...CACHE,
      ...CORS,
      "Content-Type": "text/markdown; charset=utf-8",
    }),
  );
  const negotiated: RequestHandler = async (req, res) => {
    // HTML comes first: browsers, and clients that accept anything, get it.
    const isText = String(req.accepts(["html", ...MARKDOWN])).startsWith("text/markdown");
    res.vary("Accept").append("Link", `<${pathOfMarkdown}>; rel="alternate"; type="text/markdown"`);
    send(res, isText ? markdownFile() : await htmlFile());
  };
  const markdown: RequestHandler = (_req, res) => {
    res.append("Link", `<${path}>; rel="canonical"; type="text/html"`);
    send(res, markdownFile());
  };
  return [
    [path, negotiated],
    [pathOfMarkdown, markdown],
  ];
}

async function htmlOf(document: Document, all: readonly Document[], config: Config): Promise<RenderedFile> {
  const page = documentPage(document, all, config, await loadHighlight());
  // The search of the docs is a form, and so is the box of the front page.
  const headers = pageHeaders(page.docs || document.path === "/" ? { forms: [] } : {});
  return withETag(layout(page, config), { ...CACHE, ...headers, "Content-Type": "text/html; charset=utf-8" });
}

/** Makes the links to our own pages absolute, since text that was copied has no base address. */
function absolute(markdown: string, siteUrl: string): string {
  return markdown.replace(/\]\((?=\/)/g, `](${siteUrl}`);
}

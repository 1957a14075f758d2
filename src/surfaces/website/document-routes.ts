import { createHash } from "node:crypto";
import express, { type RequestHandler, type Response, type Router } from "express";
import type { Config } from "../../platform/config/config.ts";
import {
  type Document,
  documentsOf,
  markdownPath,
  postmanCollection,
  TIMELINE_CSP,
  TIMELINE_PATH,
  TIMELINE_SVG,
} from "../docs/index.ts";
import { CORS } from "../http-server/cors.ts";
import { docsNav } from "./docs-nav.ts";
import { ICON, ICON_SVG } from "./icon.ts";
import { layout, pageHeaders } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";

/** How long a public document may be kept without asking; then its ETag is asked for. */
const CACHE = { "Cache-Control": "public, max-age=300" };

/** The public documents of a deployment, each made once: HTML for browsers, Markdown for who asks for it. */
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
    const picture = made(svg, { ...CACHE, "Content-Type": "image/svg+xml", "Content-Security-Policy": policy });
    router.get(path, (_req, res) => send(res, picture));
  }
  const postman = made(JSON.stringify(postmanCollection(config)), { ...CACHE, ...CORS, "Content-Type": JSON_TYPE });
  router.get("/postman.json", (_req, res) => send(res, postman));
  return router;
}

const PICTURES = [
  [TIMELINE_PATH, TIMELINE_SVG, TIMELINE_CSP],
  [ICON, ICON_SVG, "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** Some name the charset when they ask. */
const MARKDOWN = ["text/markdown", "text/markdown;charset=utf-8"];

const JSON_TYPE = "application/json; charset=utf-8";

/** What a path answers, with its headers. */
interface Made {
  readonly text: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function made(text: string, headers: Readonly<Record<string, string>>): Made {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 27);
  // As bytes, to which Express adds nothing.
  return { text: Buffer.from(text), headers: { ...headers, ETag: `"${hash}"` } };
}

/** When it is asked for first: eighty pages are a tenth of a second, which nobody should wait for at the start. */
function once(make: () => Made): () => Made {
  let kept: Made | undefined;
  return () => {
    kept ??= make();
    return kept;
  };
}

function send(res: Response, { text, headers }: Made): void {
  res.set(headers).send(text);
}

function routesOf(document: Document, all: readonly Document[], config: Config): [string, RequestHandler][] {
  const { path } = document;
  const other = markdownPath(path);
  const page = once(() =>
    made(htmlOf(document, all), { ...CACHE, ...pageHeaders({}), "Content-Type": "text/html; charset=utf-8" }),
  );
  const text = once(() =>
    made(absolute(document.markdown, config.siteUrl), {
      ...CACHE,
      ...CORS,
      "Content-Type": "text/markdown; charset=utf-8",
    }),
  );
  const negotiated: RequestHandler = (req, res) => {
    // The first of equals is HTML: a browser, and who accepts anything, gets that.
    const isText = String(req.accepts(["html", ...MARKDOWN])).startsWith("text/markdown");
    res.vary("Accept").append("Link", `<${other}>; rel="alternate"; type="text/markdown"`);
    send(res, isText ? text() : page());
  };
  const markdown: RequestHandler = (_req, res) => {
    res.append("Link", `<${path}>; rel="canonical"; type="text/html"`);
    send(res, text());
  };
  return [
    [path, negotiated],
    [other, markdown],
  ];
}

function htmlOf({ path, title, markdown }: Document, all: readonly Document[]): string {
  const isDocs = path === "/docs" || path.startsWith("/docs/") || path === "/auth";
  return layout({
    title: path === "/" ? title : `${title} - Beckon`,
    body: renderMarkdown(markdown),
    markdown: markdownPath(path),
    ...(isDocs ? { nav: docsNav(all, path) } : {}),
  });
}

/** Who reads a page as text has no address to begin at: links to our own pages are written out. */
function absolute(markdown: string, siteUrl: string): string {
  return markdown.replace(/\]\((?=\/)/g, `](${siteUrl}`);
}

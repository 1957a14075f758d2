import { createHash } from "node:crypto";
import express, { type RequestHandler, type Response, type Router } from "express";
import type { Config } from "../../../platform/config/config.ts";
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
import { FrontPage } from "../front-page.tsx";
import { ICON, ICON_SVG } from "../icon.ts";
import { layout, pageHeaders } from "../layout.tsx";
import { DocsNav } from "./docs-nav.tsx";
import { Markdown } from "./markdown.tsx";

/** Caches keep a public document for 5 minutes, then ask for its ETag. */
const CACHE = { "Cache-Control": "public, max-age=300" };

/** Routes of the public documents, each rendered once: as HTML, and as Markdown for clients that ask for it. */
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
  return router;
}

const PICTURES = [
  [TIMELINE_PATH, TIMELINE_SVG, TIMELINE_CSP],
  [ICON, ICON_SVG, "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** Some clients name the charset in Accept. */
const MARKDOWN = ["text/markdown", "text/markdown;charset=utf-8"];

const JSON_TYPE = "application/json; charset=utf-8";

interface RenderedFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The ETag is weak: it stays the same however the response is compressed (RFC 9110 section 8.8.3.3). */
function withETag(text: string, headers: Readonly<Record<string, string>>): RenderedFile {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 27);
  // A Buffer, because Express adds headers of its own to a string.
  return { body: Buffer.from(text), headers: { ...headers, ETag: `W/"${hash}"` } };
}

/** Renders a page on its first request: rendering all eighty at the start would delay it by a tenth of a second. */
function once(render: () => RenderedFile): () => RenderedFile {
  let file: RenderedFile | undefined;
  return () => {
    file ??= render();
    return file;
  };
}

function send(res: Response, { body, headers }: RenderedFile): void {
  res.set(headers).send(body);
}

function routesOf(document: Document, all: readonly Document[], config: Config): [string, RequestHandler][] {
  const { path } = document;
  const pathOfMarkdown = markdownPath(path);
  const htmlFile = once(() =>
    withETag(htmlOf(document, all, config), {
      ...CACHE,
      ...pageHeaders({}),
      "Content-Type": "text/html; charset=utf-8",
    }),
  );
  const markdownFile = once(() =>
    withETag(absolute(document.markdown, config.siteUrl), {
      ...CACHE,
      ...CORS,
      "Content-Type": "text/markdown; charset=utf-8",
    }),
  );
  const negotiated: RequestHandler = (req, res) => {
    // HTML comes first: browsers, and clients that accept anything, get it.
    const isText = String(req.accepts(["html", ...MARKDOWN])).startsWith("text/markdown");
    res.vary("Accept").append("Link", `<${pathOfMarkdown}>; rel="alternate"; type="text/markdown"`);
    send(res, isText ? markdownFile() : htmlFile());
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

function htmlOf({ path, title, summary, markdown }: Document, all: readonly Document[], config: Config): string {
  const isDocs = path === "/docs" || path.startsWith("/docs/") || path === "/auth";
  return layout({
    title: path === "/" ? title : `${title} - Beckon`,
    body: path === "/" ? <FrontPage config={config} /> : <Markdown text={markdown} />,
    preview: { address: config.siteUrl + path, description: summary, siteUrl: config.siteUrl },
    markdown: markdownPath(path),
    ...(isDocs ? { nav: <DocsNav documents={all} path={path} /> } : {}),
  });
}

/** Makes the links to our own pages absolute, since text that was copied has no base address. */
function absolute(markdown: string, siteUrl: string): string {
  return markdown.replace(/\]\((?=\/)/g, `](${siteUrl}`);
}

import type { Config } from "../../platform/config/config.ts";
import type { Document } from "../docs/index.ts";
import { PATHS } from "./paths.ts";

/** Paths that crawlers must not visit: pages that differ for each user, and endpoints for programs. */
const PRIVATE = "/api/ /checkout /claim /dashboard /forgot /oauth/ /reset /sandbox/ /sign-out /webhooks".split(" ");

/** robots.txt: what crawlers may visit (RFC 9309). */
export function robotsText({ siteUrl }: Pick<Config, "siteUrl">): string {
  return `User-agent: *\n${PRIVATE.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${siteUrl}${PATHS.sitemap}\n`;
}

/** sitemap.xml: our own public pages (sitemaps.org/protocol.html). */
export function sitemapXml({ siteUrl }: Pick<Config, "siteUrl">, documents: readonly Document[]): string {
  const urls = documents.map(({ path }) => `<url><loc>${escaped(siteUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("")}</urlset>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

import type { Handler, Reply } from "./fake.ts";

/** Pages of the demo site by name. */
const PAGES: Readonly<Record<string, (origin: string) => Reply>> = {
  noindex: () => html("", '<meta name="robots" content="noindex">'),
  "noindex-header": () => ({ ...html(""), headers: { ...HTML, "X-Robots-Tag": "noindex" } }),
  private: () => html("robots.txt keeps everyone out of here"),
  canonical: (origin) => html("", `<link rel="canonical" href="${origin}/site/page-1">`),
  job: () => html("", `<script type="application/ld+json">${JSON.stringify(JOB)}</script>`),
  moved: (origin) => ({ status: 301, headers: { Location: `${origin}/site/page-1` } }),
  gone: () => ({ status: 410 }),
  missing: () => ({ status: 404 }),
  broken: () => ({ status: 500 }),
  canary: () => html("This page is in Google's index"),
};

const PLAIN = Array.from({ length: 20 }, (_, i) => `page-${i + 1}`);

const JOB = {
  "@context": "https://schema.org",
  "@type": "JobPosting",
  title: "Lighthouse keeper",
  datePosted: "2026-01-05",
  description: "Keeps the light.",
  hiringOrganization: { "@type": "Organization", name: "Lighthouse" },
};

/**
 * A demo website: good pages, one page of every kind that preflight recognises, a sitemap of them, and an IndexNow key
 * file for every key.
 */
export const demoSite: Handler = ({ path, headers }) => {
  const origin = `http://${headers.host}`;
  const key = /^\/([0-9a-zA-Z-]{8,128})\.txt$/.exec(path)?.[1];
  if (key) return { status: 200, headers: { "Content-Type": "text/plain" }, body: key };
  if (path === "/robots.txt")
    return { status: 200, body: `User-agent: *\nDisallow: /site/private\nSitemap: ${origin}/sitemap.xml\n` };
  if (path === "/sitemap.xml")
    return { status: 200, headers: { "Content-Type": "application/xml" }, body: sitemap(origin) };
  const name = path.replace("/site/", "");
  if (path === `/site/${name}` && PLAIN.includes(name)) return html(`This is ${name}.`);
  return PAGES[name]?.(origin) ?? { status: 404 };
};

const HTML = { "Content-Type": "text/html; charset=utf-8" };

function html(text: string, head = ""): Reply {
  const body = `<!doctype html><html lang="en"><head><title>Demo</title>${head}</head><body><p>${text}</p></body></html>`;
  return { status: 200, headers: HTML, body };
}

function sitemap(origin: string): string {
  const entries = [...PLAIN, ...Object.keys(PAGES)].map((name) => `<url><loc>${origin}/site/${name}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>`;
}

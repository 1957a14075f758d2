import { pageUrl } from "./support.ts";

/** What the report says of the document. */
export const MIX =
  "every entry has loc, lastmod, changefreq and priority; one in 10 an image (half of these with its title in CDATA), " +
  "one in 20 three language links, one in 25 a query with &amp;, one in 50 stands twice, one in 100 has a comment before it";

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" ' +
  'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';

/** A sitemap as a content management system writes it: about 12 MB with 50,000 entries. */
export function sitemapOf(entries: number): string {
  const parts = [`<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACES}>\n`];
  for (let i = 0; i < entries; i++) parts.push(entry(i));
  return `${parts.join("")}</urlset>\n`;
}

function entry(i: number): string {
  const page = pageUrl(i % 50 === 49 ? i - 25 : i);
  const day = String((i % 28) + 1).padStart(2, "0");
  return `${i % 100 === 7 ? `  <!-- section ${i / 100} -->\n` : ""}  <url>
    <loc>${page}${i % 25 === 3 ? "?page=2&amp;order=date" : ""}</loc>
    <lastmod>2026-01-${day}T08:30:00+00:00</lastmod>
    <changefreq>${["daily", "weekly", "monthly"][i % 3]}</changefreq>
    <priority>0.${(i % 9) + 1}</priority>
${i % 10 === 1 ? image(i) : ""}${i % 20 === 2 ? links(page) : ""}  </url>
`;
}

function image(i: number): string {
  const title = `A picture of something worth seeing, number ${i}`;
  return `    <image:image>
      <image:loc>https://www.example.com/wp-content/uploads/2026/01/picture-${i}.jpg</image:loc>
      <image:title>${i % 20 === 1 ? `<![CDATA[${title}]]>` : title}</image:title>
    </image:image>
`;
}

function links(page: string): string {
  return ["en", "de", "x-default"]
    .map((language) => `    <xhtml:link rel="alternate" hreflang="${language}" href="${page}?lang=${language}" />\n`)
    .join("");
}

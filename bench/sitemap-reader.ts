// What reads sitemaps in the product, bundled for the bench (sitemap.ts).
export { readPages } from "../src/indexing/sitemap/pages.ts";
export { createHttpClient } from "../src/platform/http-client/http-client.ts";

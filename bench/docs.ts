import { chromium } from "playwright-core";
import { findBrowser } from "../scripts/setup/browser.mjs";
import { readConfig } from "../src/platform/config/config.ts";
import { documentsOf } from "../src/surfaces/docs/index.ts";
import { INDEX_PATH } from "../src/surfaces/website/public/docs-nav.tsx";
import { documentPage } from "../src/surfaces/website/public/document-page.tsx";
import { loadHighlight } from "../src/surfaces/website/public/highlight.ts";
import { buildDocsIndex } from "../src/surfaces/website/public/search-index.ts";
import { script } from "../src/surfaces/website/shell/assets.ts";
import { layout } from "../src/surfaces/website/shell/layout.tsx";
import { median, round } from "./support.ts";

const ORIGIN = "http://beckon.test";
const QUERIES = [
  "s",
  "submit",
  "submit_urls",
  "insufficent credts",
  "moving to postgresql",
  "how long does a verdict take",
];

/**
 * The search of the docs: what the server does once, and how long a browser whose CPU is `slower` times slower needs from a
 * letter to its results, in ms. The first search also fetches and reads the index.
 */
export async function benchDocs(slower: number, rounds: number) {
  const config = readConfig({ SITE_URL: ORIGIN });
  const documents = documentsOf(config);
  const [highlighted, highlight] = await timeOf(loadHighlight);
  const operation = documents.find(({ title }) => title === "submit_urls")!;
  const [rendered, html] = await timeOf(async () =>
    layout(documentPage(operation, documents, config, highlight), config),
  );
  const [built, index] = await timeOf(async () => JSON.stringify(buildDocsIndex(documents)));
  const files = new Map([
    ["/", [html, "text/html"]],
    [script("docs").path, [script("docs").body, "text/javascript"]],
    [INDEX_PATH, [index, "application/json"]],
  ] as const);

  const browser = await chromium.launch({ executablePath: findBrowser()!, chromiumSandbox: process.getuid?.() !== 0 });
  const page = await browser.newPage();
  await page.route("**/*", (route) => {
    const [body, contentType] = files.get(new URL(route.request().url()).pathname) ?? ["", "text/plain"];
    return route.fulfill({ body, contentType });
  });
  await page.goto(ORIGIN);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const times: number[] = [];
  for (let n = 0; n < rounds; n++)
    for (const query of QUERIES) times.push((await page.evaluate(`(${TYPE})(${JSON.stringify(query)})`)) as number);
  await browser.close();
  const [first, ...later] = times;
  return {
    server: {
      highlighter: highlighted,
      "first page with code": rendered,
      index: built,
      "KB of the index": index.length / 1000,
    },
    browser: { first: round(first!), median: round(median(later)), slowest: round(Math.max(...later)) },
  };
}

/** Types a query in the page. @returns ms until its results are there */
const TYPE = `(query) => new Promise((resolve) => {
  const field = document.querySelector(".docs-search input");
  new MutationObserver((_, observer) => {
    observer.disconnect();
    resolve(performance.now() - start);
  }).observe(document.querySelector(".docs-results ul"), { childList: true });
  field.value = query;
  const start = performance.now();
  field.dispatchEvent(new Event("input"));
})`;

async function timeOf<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const start = performance.now();
  const result = await work();
  return [round(performance.now() - start), result];
}

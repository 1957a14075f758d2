import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { packageRoot } from "../src/platform/package-root.ts";
import {
  cookieOf,
  type ListedPage,
  type PageFixtures,
  pageFixtures,
  pageService,
  visit,
} from "../test/support/website/pages/listed-page.ts";
import { PAGES } from "../test/support/website/pages/page-list.ts";
import { SIZES, VARIANTS, type Variant } from "../test/support/website/pages/variants.ts";
import { build } from "./build/build.mjs";
import { takePublishedPictures } from "./published-pictures.ts";
import { ensureBrowser } from "./setup/browser.mjs";

/**
 * `npm run screenshots`: every page of the website, light and dark, on a desk and on a phone, with a contact sheet.
 * `-- --out FOLDER` names the folder; `-- --only PATTERN` takes the pages whose names match the pattern. `-- --published`
 * renews the pictures in the README, on the front page and in the documents instead.
 */
const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(packageRoot, "screenshots") },
    only: { type: "string", default: "" },
    published: { type: "boolean", default: false },
    help: { type: "boolean", default: false, short: "h" },
  },
});
if (values.help) {
  console.log("npm run screenshots -- [--out FOLDER] [--only PATTERN] [--published]");
  process.exit(0);
}

/** Opens each page, and leaves pictures of it in a folder. */
async function takeAll(browser: Browser, fixtures: PageFixtures, pages: readonly ListedPage[], folder: string) {
  mkdirSync(folder, { recursive: true });
  for (const listedPage of pages) {
    const context = await browser.newContext({ viewport: SIZES.desk, locale: "en-GB", timezoneId: "UTC" });
    const cookie = cookieOf(fixtures, listedPage.visitor);
    if (cookie) await context.addCookies([cookie]);
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await visit(fixtures, page, listedPage);
    await take(page, listedPage.name, folder);
    await context.close();
  }
  writeFileSync(join(folder, "index.html"), contactSheet(pages));
}

async function take(page: Page, name: string, folder: string): Promise<void> {
  for (const variant of VARIANTS) {
    await page.emulateMedia({ colorScheme: variant.colorScheme });
    await page.setViewportSize(SIZES[variant.size]);
    await page.screenshot({ path: join(folder, fileOf(name, variant)), fullPage: true });
  }
}

function fileOf(name: string, { colorScheme, size }: Variant): string {
  return `${name}-${size}-${colorScheme}.png`;
}

function contactSheet(pages: readonly ListedPage[]): string {
  const rows = pages.map(({ name }) => {
    const files = VARIANTS.map((variant) => fileOf(name, variant));
    const pictures = files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" height="420"></a>`);
    return `<h2>${name}</h2>\n${pictures.join("\n")}`;
  });
  return `<!doctype html><title>Pages</title>\n${rows.join("\n")}\n`;
}

await build();
const service = await pageService();
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  // Its sandbox refuses to run as root.
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const fixtures = await pageFixtures(service);
  if (values.published) console.log((await takePublishedPictures(browser, fixtures)).join("\n"));
  else {
    const folder = resolve(values.out);
    const pages = PAGES.filter(({ name }) => new RegExp(values.only).test(name));
    await takeAll(browser, fixtures, pages, folder);
    console.log(`${pages.length} pages: ${relative(process.cwd(), join(folder, "index.html"))}`);
  }
} finally {
  await browser.close();
  await service.close();
}

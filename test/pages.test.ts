import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { documentsOf } from "../src/surfaces/docs/index.ts";
import { DIRECT } from "./support/payments/buy-page.ts";
import { type TestServiceOptions, testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { CUT_DOCUMENT, expectGoodLayout } from "./support/website/layout-rules.ts";
import { expectLightPage, measurePage } from "./support/website/page-cost.ts";
import {
  cookieOf,
  type PageFixtures,
  pageFixtures,
  pageService,
  type Visitor,
  visit,
} from "./support/website/pages/listed-page.ts";
import { PAGES } from "./support/website/pages/page-list.ts";
import { SIZES } from "./support/website/pages/variants.ts";
import { signedIn } from "./support/website/user.ts";

const service = await pageService();
afterAll(() => service.close());
const browse = await startBrowser();

let fixtures: PageFixtures;
beforeAll(async () => {
  fixtures = await pageFixtures(service);
});

async function browserOf(visitor: Visitor, size: keyof typeof SIZES = "desk"): Promise<BrowserContext> {
  const context = await browse({ bypassCSP: true, viewport: SIZES[size] });
  const cookie = cookieOf(fixtures, visitor);
  if (cookie) await context.addCookies([cookie]);
  return context;
}

async function expectGoodPage(page: Page, name: string): Promise<void> {
  const isMissing = await page.getByText("There is no page at this address").isVisible();
  expect(isMissing, "a page that does not exist").toBe(name.endsWith("not-found"));
  expect(await page.title(), "a page that failed").not.toMatch(/^Something failed\b/);
  await expectGoodLayout(page, name);
}

test.each(PAGES.map((listed) => [listed.name, listed] as const))("%s", async (name, listed) => {
  const page = await (await browserOf(listed.visitor)).newPage();
  const cost = await measurePage(page);
  await visit(fixtures, page, listed);
  expectLightPage(await cost(), `${name}, desk`);
  const { pathname } = new URL(page.url());
  expect(pathname, "a page of its route").toMatch(
    new RegExp(`^${listed.route.replace(/:\w+/g, "[^/]+").replace(/\{\*\w+\}/, ".+")}$`),
  );
  await expectGoodPage(page, name);
});

test("law: no page moves while it loads on a phone", async () => {
  const visitors: readonly Visitor[] = ["nobody", "owner", "payer", "newcomer"];
  for (const visitor of visitors) {
    const page = await (await browserOf(visitor, "phone")).newPage();
    const cost = await measurePage(page);
    for (const listed of PAGES.filter((one) => one.visitor === visitor && typeof one.navigation === "string")) {
      await visit(fixtures, page, listed);
      expectLightPage(await cost(), `${listed.name}, phone`);
    }
  }
});

test("law: no document is too large for a slow connection", async () => {
  const page = await (await browserOf("nobody")).newPage();
  const cost = await measurePage(page);
  for (const { path } of documentsOf(service.config)) {
    await page.goto(new URL(path, service.url).href);
    expectLightPage(await cost(), path);
  }
});

test("no document has a table or a line that is cut off, on a desktop or a phone", async () => {
  const page = await (await browserOf("nobody")).newPage();
  const cut: string[] = [];
  const documents = documentsOf(service.config);
  expect(documents.length).toBeGreaterThan(60);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const { path } of documents) {
      await page.setContent(await (await fetch(new URL(path, service.url))).text());
      const found = (await page.evaluate(CUT_DOCUMENT)) as string[];
      cut.push(...found.map((text) => `${path}, ${size}: ${text}`));
    }
  }
  expect(cut).toEqual([]);
});

describe("deployments with direct payment, and without cards", () => {
  const nobody = { cards: null, direct: null };
  const both: TestServiceOptions = { payments: nobody, config: { direct: DIRECT, cards: "none" } };
  const direct: TestServiceOptions = { payments: nobody, config: { direct: DIRECT } };
  const stripe: TestServiceOptions = { payments: nobody, config: { cards: "stripe" } };

  test.each([
    ["pricing-direct", "/pricing", both],
    ["pricing-stripe", "/pricing", stripe],
    ["wallet", "/docs/quickstart/wallet", direct],
    ["buy-direct", "/dashboard/buy", direct],
  ])("%s", async (name, path, parts) => {
    const other = await testService({ publishUrl: true, ...parts });
    onTestFinished(() => other.close());
    const { user } = await signedIn(other, { paid: false });
    const context = await browse({ bypassCSP: true });
    await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: other.url }]);
    const page = await context.newPage();
    await page.goto(`${other.url}${path}`);
    await expectGoodPage(page, name);
  });
});

test.each([
  ["words too pale to read", '<p style="color:#ccc;background:#fff">Pale</p>', /color-contrast/],
  ["a field without a name", "<input>", /label/],
  ["a table that is cut off", `<div class="wide"><table style="width:1300px"><tr><td>x</table></div>`, /cut off/],
  ["what is wider than a phone", '<p style="width:1000px">Wide</p>', /phone: expected 1008 to be 390/],
])("a planted fault is found: %s", async (_, fault, found) => {
  const page = await (await browserOf("nobody")).newPage();
  await page.setContent(
    `<!doctype html><html lang="en"><title>Planted</title><body class="docs"><main style="min-width:0"><style>.wide{overflow-x:auto}</style><h1>Planted</h1>${fault}</main>`,
  );
  await expect(expectGoodLayout(page, "planted")).rejects.toThrow(found);
});

test("planted faults are found: a late banner that moves the page, and a script that is too large", async () => {
  const context = await browserOf("nobody");
  const serve = (path: string, body: string, contentType = "text/html") =>
    context.route(`${service.url}${path}`, (route) => route.fulfill({ contentType, body: body.padEnd(2_000) }));
  // Two frames later the heading has been painted.
  const late = "requestAnimationFrame(() => requestAnimationFrame(() => document.body.prepend(banner.content)))";
  const banner = '<template id="banner"><p style="height:40rem">A banner</template>';
  await serve("/moving", `<h1>Text</h1>${banner}<script>${late}</script>`);
  await serve("/heavy", '<p>Text</p><script src="/heavy.js"></script>');
  await serve("/heavy.js", "1;".repeat(40_000), "text/javascript");
  const page = await context.newPage();
  const cost = await measurePage(page);
  await page.goto(`${service.url}/moving`);
  await page.getByText("A banner").waitFor();
  const moving = await cost();
  expect(() => expectLightPage(moving, "moving")).toThrow("something moves");
  await page.goto(`${service.url}/heavy`);
  const heavy = await cost();
  expect(() => expectLightPage(heavy, "heavy")).toThrow("too many bytes");
});

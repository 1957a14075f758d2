import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { documentsOf } from "../src/surfaces/docs/index.ts";
import { isDeep, sampleOf } from "./support/checks/fuzz-runs.ts";
import { DIRECT } from "./support/payments/buy-page.ts";
import { listen } from "./support/service/listen.ts";
import { type TestServiceOptions, testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { type PieceProxy, pieceProxy } from "./support/website/in-pieces.ts";
import {
  CUT_DOCUMENT,
  expectAccessible,
  expectGoodLayout,
  type LayoutVariant,
  VARIANTS,
} from "./support/website/layout-rules.ts";
import { expectLightPage, expectUnmoved } from "./support/website/page-cost.ts";
import {
  type ListedPage,
  type PageFixtures,
  pageFixtures,
  pageService,
  visit,
} from "./support/website/pages/listed-page.ts";
import { PAGES } from "./support/website/pages/page-list.ts";
import { reusedPages } from "./support/website/pages/reused-pages.ts";
import { SIZES } from "./support/website/pages/variants.ts";
import { signedIn } from "./support/website/user.ts";

const service = await pageService();
afterAll(() => service.close());
const browse = await startBrowser(true);

let fixtures: PageFixtures;
const pageOf = reusedPages(browse, () => fixtures);
beforeAll(async () => {
  fixtures = await pageFixtures(service);
});

/** The variants in which a page is checked, and those of them in which axe runs. */
interface Checks {
  readonly variants: readonly LayoutVariant[];
  readonly audited: readonly LayoutVariant[];
}
const ALL: Checks = { variants: VARIANTS, audited: VARIANTS };
const ROUTES = [...new Set(PAGES.map(({ route }) => route))];

/** The place of a page among those of its route. */
const placeOf = (listed: ListedPage) => PAGES.filter(({ route }) => route === listed.route).indexOf(listed);

/** The first page of each route is opened, and some of its other states, which are made of the same parts; in a longer run all. */
const SOME = sampleOf(
  PAGES.filter((listed) => placeOf(listed) > 0),
  30,
);
const OPENED = PAGES.filter((listed) => placeOf(listed) === 0 || SOME.includes(listed));

/**
 * The first page of a route by its width on a desk and on a phone, and by axe on one of them, by turns; another state by its width on
 * one of them. In a longer run every page by everything.
 */
function checksOf(listed: ListedPage): Checks {
  if (isDeep) return ALL;
  const place = placeOf(listed);
  const byTurns = (at: number) => VARIANTS.filter((_, number) => number === at % VARIANTS.length);
  if (place > 0) return { variants: byTurns(place), audited: [] };
  return { variants: VARIANTS, audited: byTurns(ROUTES.indexOf(listed.route)) };
}

async function expectGoodPage(page: Page, name: string, { variants, audited } = ALL): Promise<void> {
  const isMissing = await page.getByText("There is no page at this address").isVisible();
  expect(isMissing, "a page that does not exist").toBe(name.endsWith("not-found"));
  expect(await page.title(), "a page that failed").not.toMatch(/^Something failed\b/);
  await expectGoodLayout(page, name, variants, audited);
}

test.each(OPENED.map((listed) => [listed.name, listed] as const))("%s", async (name, listed) => {
  const { page, cost } = await pageOf(listed.visitor);
  await visit(fixtures, page, listed);
  expectLightPage(await cost(), `${name}, desk`);
  const { pathname } = new URL(page.url());
  expect(pathname, "a page of its route").toMatch(
    new RegExp(`^${listed.route.replace(/:\w+/g, "[^/]+").replace(/\{\*\w+\}/, ".+")}$`),
  );
  await expectGoodPage(page, name, checksOf(listed));
});

describe("law: no page moves on a phone while it arrives in pieces", () => {
  const opened = PAGES.flatMap(({ name, visitor, navigation }) =>
    typeof navigation === "string" ? [[name, visitor, navigation] as const] : [],
  );
  let proxy: PieceProxy;
  beforeAll(async () => {
    proxy = await pieceProxy(service.url);
  });
  afterAll(() => proxy.close());

  test.each(sampleOf(opened, 6))("%s", async (name, visitor, path) => {
    const { page, cost } = await pageOf(visitor, "phone");
    await proxy.open(page, path);
    expectUnmoved(await cost(), name);
  });
});

const DOCUMENTS = documentsOf(service.config).map(({ path }) => path);
expect(DOCUMENTS.length).toBeGreaterThan(60);
describe("law: no document moves, is too large, violates a rule of axe, or has a table or a line that is cut off", () => {
  // Most are made alike: one for each operation, error and event.
  test.each(sampleOf(DOCUMENTS, 6))("%s", async (path) => {
    const { page, cost } = await pageOf("nobody");
    await page.goto(new URL(path, service.url).href);
    expectLightPage(await cost(), path);
    await expectAccessible(page, path);
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate(CUT_DOCUMENT), size).toEqual([]);
    }
  });
});

test("a document opens with the tab that was chosen last, and does not move", async () => {
  const { page, cost } = await pageOf("nobody");
  const openPage = (operation: string) => page.goto(`${service.url}/docs/operations/${operation}`);
  await openPage("submit_urls");
  await page.getByText("Python", { exact: true }).click();
  await openPage("list_links");
  expect(await page.getByLabel("Python", { exact: true }).isChecked()).toBe(true);
  expectUnmoved(await cost(), "list_links");
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
  const { page } = await pageOf("nobody");
  await page.setContent(
    `<!doctype html><html lang="en"><title>Planted</title><body class="docs"><main style="min-width:0"><style>.wide{overflow-x:auto}</style><h1>Planted</h1>${fault}</main>`,
  );
  await expect(expectGoodLayout(page, "planted")).rejects.toThrow(found);
});

test("planted faults are found: what moves a page late or in pieces, and a script that is too large", async () => {
  const { page, cost } = await pageOf("nobody");
  const moving = await faultyService();
  const proxy = await pieceProxy(moving);
  onTestFinished(() => proxy.close());
  await page.goto(`${moving}/late`);
  await page.getByText("A banner").waitFor();
  const late = await cost();
  expect(() => expectLightPage(late, "late")).toThrow("something moves");
  await proxy.open(page, "/growing");
  const growing = await cost();
  expect(() => expectUnmoved(growing, "growing")).toThrow("something moves");
  await page.goto(`${moving}/heavy`);
  const heavy = await cost();
  expect(() => expectLightPage(heavy, "heavy")).toThrow("too many bytes");
});

/** Serves pages with faults. @returns its URL */
async function faultyService(): Promise<string> {
  // Two frames later the heading has been painted.
  const late = "requestAnimationFrame(() => requestAnimationFrame(() => document.body.prepend(banner.content)))";
  const banner = '<template id="banner"><p style="height:40rem">A banner</template>';
  const rows = Array.from({ length: 20 }, (_, n) => `<tr><td>${"wider ".repeat(n)}</td><td>second column</td></tr>`);
  const pages: Readonly<Record<string, string>> = {
    "/late": `<body><h1>Text</h1>${banner}<script>${late}</script>`,
    "/growing": `<body><h1>Text</h1><table>${rows.join("")}</table>`,
    "/heavy": '<body><p>Text</p><script src="/heavy.js"></script>',
    "/heavy.js": "1;".repeat(40_000),
  };
  const { url, close } = await listen((req, res) => {
    res.setHeader("Content-Type", req.url!.endsWith(".js") ? "text/javascript" : "text/html");
    res.end((pages[req.url!] ?? "").padEnd(2_000));
  });
  onTestFinished(close);
  return url;
}

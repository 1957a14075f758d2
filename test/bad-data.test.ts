import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../src/domain/ledger/ledger.ts";
import { projectOf } from "./support/website/account-fixtures.ts";
import { startBrowser } from "./support/website/browser.ts";
import { expectWidth } from "./support/website/layout-rules.ts";
import { BAD_NAMES, badTexts } from "./support/website/pages/example-texts.ts";
import { cookieOf, type PageFixtures, pageFixtures, pageService, visit } from "./support/website/pages/listed-page.ts";
import { OWNER } from "./support/website/pages/owner.ts";
import { SIZES } from "./support/website/pages/variants.ts";

const service = await pageService();
afterAll(() => service.close());
const browse = await startBrowser();

let fixtures: PageFixtures;
beforeAll(async () => {
  fixtures = await pageFixtures(service, badTexts());
});

/** A page on a phone, whose scripts report when markup of a user has become markup of the page. */
async function phone(): Promise<Page> {
  const context = await browse({ viewport: SIZES.phone });
  await context.addCookies([cookieOf(fixtures, "owner")!]);
  const page = await context.newPage();
  page.on("dialog", () => {
    throw new Error("markup of a user was run");
  });
  return page;
}

/** Width of a PNG file (w3.org/TR/png-3, 11.2.1). */
function widthOf(png: Buffer): number {
  return png.readUInt32BE(16);
}

async function expectPhoneWidth(page: Page, name: string): Promise<void> {
  await expectWidth(page, name, "phone");
  expect(widthOf(await page.screenshot({ fullPage: true }))).toBe(SIZES.phone.width);
}

test.each(OWNER.map((listed) => [listed.name, listed] as const))(
  "%s is as wide as a phone, and nothing in it is cut off, with the worst names and URLs",
  async (name, listed) => {
    const page = await phone();
    await visit(fixtures, page, listed);
    await expectPhoneWidth(page, name);
  },
);

test("names with markup, marks of direction and wide characters are shown as they are", async () => {
  const page = await phone();
  await page.goto(`${service.url}/dashboard/projects`);
  const shown = await page.locator("tbody bdi").allTextContents();
  expect(shown).toEqual(expect.arrayContaining([...BAD_NAMES]));
});

test("a project of 10,000 URLs is as wide as a phone, on its first page and on its last", async () => {
  const { accountId } = fixtures.owner;
  const now = service.clock.now();
  const credits = { accountId, kind: "adjustment", credits: 20_000, source: "test", description: "Test", now } as const;
  await service.db.tx((tx) => post(tx, credits));
  const urls = Array.from({ length: 10_000 }, (_, i) => `https://www.example.com/${"segment/".repeat(40)}${i}`);
  const id = await projectOf(service, accountId, urls, { name: BAD_NAMES[0]! });
  const page = await phone();
  for (const query of ["", "?page=100"]) {
    await page.goto(`${service.url}/dashboard/projects/${id}${query}`);
    await page.getByText("10,000").first().waitFor();
    await expectPhoneWidth(page, `10,000 URLs${query}`);
  }
});

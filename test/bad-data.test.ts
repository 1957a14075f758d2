import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../src/domain/ledger/ledger.ts";
import { projectOf } from "./support/website/account-fixtures.ts";
import { startBrowser } from "./support/website/browser.ts";
import { expectWidth, WHOLE_WIDTH } from "./support/website/layout-rules.ts";
import { BAD_NAMES, badTexts } from "./support/website/pages/example-texts.ts";
import { GUARDED } from "./support/website/pages/guarded.ts";
import { type PageFixtures, pageFixtures, pageService, visit } from "./support/website/pages/listed-page.ts";
import { NEWCOMER, OWNER } from "./support/website/pages/owner.ts";
import { PAYER } from "./support/website/pages/payer.ts";
import { RESULTS } from "./support/website/pages/results.ts";
import { reusedPages } from "./support/website/pages/reused-pages.ts";
import { SIZES } from "./support/website/pages/variants.ts";

const service = await pageService();
afterAll(() => service.close());
const browse = await startBrowser(true);

let fixtures: PageFixtures;
const pageOf = reusedPages(browse, () => fixtures);
beforeAll(async () => {
  fixtures = await pageFixtures(service, badTexts());
});

async function expectPhoneWidth(page: Page, name: string): Promise<void> {
  await expectWidth(page, name, "phone");
  expect(await page.evaluate(WHOLE_WIDTH), `${name}: the whole page`).toBe(SIZES.phone.width);
}

test.each([...GUARDED, ...OWNER, ...RESULTS, ...NEWCOMER, ...PAYER].map((listed) => [listed.name, listed] as const))(
  "%s is as wide as a phone, and nothing in it is cut off, with the worst names and URLs",
  async (name, listed) => {
    const { page } = await pageOf(listed.visitor, "phone");
    await visit(fixtures, page, listed);
    await expectPhoneWidth(page, name);
  },
);

test("names with markup, marks of direction and wide characters are shown as they are", async () => {
  const { page } = await pageOf("owner", "phone");
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
  const { page } = await pageOf("owner", "phone");
  for (const query of ["", "?page=100"]) {
    await page.goto(`${service.url}/dashboard/projects/${id}${query}`);
    await page.getByText("10,000").first().waitFor();
    await expectPhoneWidth(page, `10,000 URLs${query}`);
  }
});

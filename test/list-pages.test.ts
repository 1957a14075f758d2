import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../src/domain/ledger/ledger.ts";
import { testService } from "./support/service/service.ts";
import { projectOf } from "./support/website/account-fixtures.ts";
import { startBrowser } from "./support/website/browser.ts";
import { PHONE, SIZES } from "./support/website/pages/variants.ts";
import { signedIn, type User } from "./support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

let user: User;
let accountId: string;
beforeAll(async () => {
  ({ user, accountId } = await signedIn(service));
  const credits = { accountId, kind: "adjustment", credits: 40_000, source: "test", description: "Test" } as const;
  await service.db.tx((tx) => post(tx, { ...credits, now: service.clock.now() }));
});

/** A page of the dashboard, opened by its owner. */
async function open(path: string, options = {}): Promise<Page> {
  const context = await browse({ bypassCSP: true, ...options });
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page = await context.newPage();
  await page.goto(`${service.url}${path}`);
  return page;
}

test("forty projects fit on two screens of a desk", async () => {
  const counts = { total: 9_999, indexed: 8_888, notIndexed: 1_000, failed: 111, waiting: 0, status: "completed" };
  for (let n = 0; n < 41; n++) {
    const urls = [`https://client-${n}.example.com/`];
    await projectOf(service, accountId, urls, { name: `client-${n}.example.com, spring campaign` });
  }
  const figures = { ...counts, creditsSpent: 9_999, creditsReturned: 1_111 };
  await service.db.tx((tx) => tx.q.update(tx.t.projects).set(figures).returning());
  const page = await open("/dashboard/projects");
  await page.setViewportSize(SIZES.desk);
  const row = (await page.locator("tbody tr").nth(39).boundingBox())!;
  expect(row.y + row.height).toBeLessThanOrEqual(2 * SIZES.desk.height);
  const list = await page.evaluate(
    `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector(".data"))`,
  );
  const [whole, shown] = list as [number, number];
  expect(whole, "nothing is hidden at the side").toBe(shown);
});

test.each([
  ["with a script", {}],
  ["without a script", { javaScriptEnabled: false }],
  ["on a phone", PHONE],
])("one of 10,000 URLs is found by a part of it and Enter, with the keyboard alone; %s", async (_, options) => {
  const urls = Array.from({ length: 10_000 }, (_, i) => `https://example.com/articles/${i}/Text`);
  const id = await projectOf(service, accountId, urls);
  const page = await open(`/dashboard/projects/${id}`, options);
  const search = page.getByRole("searchbox", { name: "Search these URLs" });
  await search.focus();
  await page.keyboard.type("/7321/text");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=/);
  const links = page.getByRole("region", { name: "URLs" }).locator("tbody").getByRole("link");
  expect(await links.allTextContents()).toEqual(["https://example.com/articles/7321/Text"]);
  await links.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "example.com/articles/7321/Text" }).waitFor();
});

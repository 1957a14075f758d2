import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { FATES } from "../../src/indexing/engines/sandbox/fate.ts";
import { DAY } from "../../src/platform/clock.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";
import { HOSTILE, projectOf } from "../support/website/account-fixtures.ts";
import { startBrowser } from "../support/website/browser.ts";
import { expectAccessible } from "../support/website/layout-rules.ts";
import { signedIn } from "../support/website/user.ts";

const service = await testService({ publishUrl: true, advanceClock: async () => undefined });
afterAll(() => service.close());
const browse = await startBrowser();

const URLS = Object.keys(FATES).flatMap((fate) =>
  [1, 2, 3].map((page) => `https://www.example.com/${fate}/${page}?sandbox=${fate}`),
);

/** Opens a page as the owner of projects of all fates, on their eighth day. */
async function opened(path: string, options: object): Promise<Page> {
  const { user, accountId } = await signedIn(service);
  const { db, clock } = service;
  for (const name of ["First", `${"W".repeat(100)} ${HOSTILE}`]) await projectOf(service, accountId, URLS, { name });
  await testChecker(service).until(clock.service() + 8 * DAY);
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning());
  const context = await browse({ bypassCSP: true, ...options });
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page = await context.newPage();
  await page.goto(`${service.url}${path}`);
  return page;
}

test.each([
  ["with a script", { viewport: { width: 1440, height: 900 } }],
  ["without a script", { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false }],
])(
  "from the overview, one click shows why, and what now, without scrolling; one more the URLs; %s",
  async (_, options) => {
    const page = await opened("/dashboard", options);
    await page.getByRole("link", { name: "First", exact: true }).click();
    const reason = page.locator("#reasons li").first();
    const { y, height } = (await reason.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(900);
    for (const words of ["No search of Google found the page.", "Connect the site to Search Console"])
      expect(await reason.textContent()).toContain(words);
    const link = reason.getByRole("link", { name: /See all/ });
    const count = Number(/\d+/.exec((await link.textContent())!)![0]);
    await link.click();
    await page.waitForURL(/status=checking&reason=no_match#urls/);
    expect(await page.getByRole("region", { name: "URLs", exact: true }).locator("tbody tr").count()).toBe(count);
  },
);

test("a name of wide letters, 320 pixels and text of 200 % fit, and violate no rule of axe", async () => {
  const page = await opened("/dashboard/projects", { viewport: { width: 320, height: 700 } });
  for (const path of [null, /W{20}/]) {
    if (path) await page.getByRole("link", { name: path }).first().click();
    for (const [width, zoom] of [
      [640, "200%"],
      [320, "100%"],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await page.evaluate(`document.documentElement.style.fontSize = ${JSON.stringify(zoom)}`);
      expect([path, zoom, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, zoom, width]);
    }
    await expectAccessible(page, `${path}`);
  }
});

import { afterAll, expect, test } from "vitest";
import { foldCoverage } from "../../src/domain/coverage/fold.ts";
import { createKey } from "../../src/domain/credentials/keys.ts";
import { DAY } from "../../src/platform/clock.ts";
import { openSessionOf } from "../support/database/people.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";
import { startBrowser } from "../support/website/browser.ts";
import { expectAccessible, expectWidth } from "../support/website/layout-rules.ts";
import { signedIn } from "../support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();
const { db, clock } = service;

/** Somebody with a completed project of 60 pages, of which every fourth was never found, signed in in a browser. */
async function withResults(javaScriptEnabled = true) {
  const { accountId } = await signedIn(service);
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now: clock.now() }));
  const fates = ["hour", "day_4", "day_14", "never"];
  const urls = Array.from({ length: 60 }, (_, i) => `https://www.shop.example/${i}?sandbox=${fates[i % 4]}`);
  const body = { urls, name: "Spring" };
  const { project } = (await service.request("POST", "/projects", { key, body })).json;
  await testChecker(service).until(clock.service() + 16 * DAY);
  await foldCoverage(db);
  const session = { accountId, browser: "Firefox", ip: "127.0.0.1", now: clock.now() };
  const value = await db.tx((tx) => openSessionOf(tx, session));
  const context = await browse({ javaScriptEnabled });
  await context.addCookies([{ name: "sid", value, url: service.url }]);
  return { page: await context.newPage(), project: project.id as string };
}

test.each([
  ["with scripts", true],
  ["without scripts", false],
])(
  "from a project to a report that a stranger reads: two clicks, and the link is there to be copied, %s",
  async (_, isOn) => {
    const { page, project } = await withResults(isOn);
    await page.goto(`${service.url}/dashboard/projects/${project}`);
    await page.getByRole("link", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = (await page.locator("pre.key code").textContent())!;
    expect(link).toMatch(/\/shared\/shs_[\w-]{43}$/);
    const stranger = await browse({ javaScriptEnabled: isOn });
    const report = await stranger.newPage();
    await report.goto(link);
    await report.getByRole("heading", { name: "Spring", exact: true }).waitFor();
    expect(await report.locator(".headline").textContent()).toContain("45 of 60");
    expect(await stranger.cookies()).toEqual([]);
  },
);

test("from a site to its report: two clicks", async () => {
  const { page } = await withResults();
  await page.goto(`${service.url}/dashboard/sites/www.shop.example`);
  await page.getByRole("link", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.goto((await page.locator("pre.key code").textContent())!);
  expect(await page.locator(".headline").textContent()).toContain("45 of 60");
});

test("the report prints on one page of A4, and is readable at 320 pixels and at twice the size", async () => {
  const { page, project } = await withResults();
  await page.goto(`${service.url}/dashboard/shares/new?project=${project}`);
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.goto((await page.locator("pre.key code").textContent())!);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.setViewportSize({ width: 320, height: 640 });
  const wide = "document.documentElement.scrollWidth";
  expect(await page.evaluate(wide)).toBe(320);
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate('document.documentElement.style.setProperty("font-size", "200%")');
  expect(await page.evaluate(wide)).toBe(640);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectWidth(page, "shared, at twice the size", "phone");
  await page.evaluate('document.documentElement.style.removeProperty("font-size")');
  await expectWidth(page, "shared", "phone");
  await expectAccessible(page, "shared");
  await page.goto(`${service.url}/dashboard/projects/${project}`);
  await page.evaluate('document.documentElement.style.setProperty("font-size", "200%")');
  expect(await page.evaluate(wide)).toBe(390);
  expect(await page.locator("#reasons").evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

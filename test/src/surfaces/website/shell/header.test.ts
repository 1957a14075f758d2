import type { BrowserContextOptions } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { testService } from "../../../../support/service/service.ts";
import { startBrowser } from "../../../../support/website/browser.ts";
import { measurePage } from "../../../../support/website/page-cost.ts";
import { signedIn, type User } from "../../../../support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

const SECTIONS = ["Overview", "Sites", "Projects", "Credits", "Agents and API", "Account"];

async function pageFor(user: User, options: BrowserContextOptions = {}) {
  const context = await browse(options);
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  return context.newPage();
}

test("the sections are six, in one line on a desk, and each leads to a page with its own pages", async () => {
  const { user } = await signedIn(service);
  const page = await pageFor(user, { viewport: { width: 1024, height: 800 } });
  await page.goto(`${service.url}/dashboard`);
  const tabs = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link");
  expect(await tabs.allTextContents()).toEqual(SECTIONS);
  const tops = await Promise.all((await tabs.all()).map(async (tab) => (await tab.boundingBox())!.y));
  expect(new Set(tops).size).toBe(1);
  await tabs.filter({ hasText: "Credits" }).click();
  const pages = page.getByRole("navigation", { name: "Credits" });
  expect(await pages.getByRole("link").allTextContents()).toContain("Orders");
  await pages.getByText("Orders").click();
  expect(await page.title()).toBe("Orders - Credits - Beckon");
});

test("the key / leads to the search, but not while somebody types", async () => {
  const { user } = await signedIn(service);
  const page = await pageFor(user);
  await page.goto(`${service.url}/dashboard/people`);
  const search = page.getByRole("searchbox", { name: "Search URLs, projects, sites and orders" });
  const typed = page.locator('main input[type="email"]').first();
  await typed.press("/");
  expect([await typed.inputValue(), await search.evaluate((field) => field.matches(":focus"))]).toEqual(["/", false]);
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.keyboard.type("shoes");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${service.url}/dashboard/search?q=shoes`);
});

test("the first key leads to a link past the header", async () => {
  const { user } = await signedIn(service);
  const page = await pageFor(user);
  await page.goto(`${service.url}/dashboard/projects`);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  expect(await skip.evaluate((link) => link.matches(":focus"))).toBe(true);
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.localName")).toBe("main");
});

test("without a script, on a narrow phone: both menus open, lead on and sign out, and the search is sent", async () => {
  const { user } = await signedIn(service);
  const page = await pageFor(user, { javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  await page.goto(`${service.url}/dashboard`);
  const projects = page.getByRole("navigation", { name: "Dashboard" }).getByText("Projects");
  expect(await projects.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Menu" }).click();
  await projects.click();
  await page.waitForURL(`${service.url}/dashboard/projects`);
  const search = page.getByRole("searchbox", { name: "Search URLs, projects, sites and orders" });
  await search.fill("shoes");
  await search.press("Enter");
  await page.waitForURL(`${service.url}/dashboard/search?q=shoes`);
  await page.getByRole("button", { name: "Signed in as" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto(`${service.url}/dashboard`);
  expect(page.url()).toContain("/sign-in");
});

test("times are in the zone of the reader, with UTC after them, and nothing moves; without a script they are in UTC", async () => {
  const { user } = await signedIn(service);
  const timeOf = async (options: BrowserContextOptions) => {
    const page = await pageFor(user, { timezoneId: "America/New_York", ...options });
    const cost = options.javaScriptEnabled === false ? null : await measurePage(page);
    await page.goto(`${service.url}/dashboard/orders`);
    expect((await cost?.())?.shifts ?? []).toEqual([]);
    return (await page.locator("main time").first().textContent())!.replaceAll("\u00a0", " ");
  };
  expect(await timeOf({})).toBe("5 Jan 2026, 07:00 (12:00 UTC)");
  expect(await timeOf({ timezoneId: "Pacific/Kiritimati" })).toBe("6 Jan 2026, 02:00 (5 Jan 2026, 12:00 UTC)");
  expect(await timeOf({ javaScriptEnabled: false })).toBe("5 Jan 2026, 12:00 UTC");
});

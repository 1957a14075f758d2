import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { projectsOf } from "../../src/domain/projects/list-projects.ts";
import { HOUR } from "../../src/platform/clock.ts";
import { nameServer } from "../support/network/raw-server.ts";
import { linkIn } from "../support/oauth/consent.ts";
import { testService } from "../support/service/service.ts";
import { startBrowser } from "../support/website/browser.ts";
import { signedIn } from "../support/website/user.ts";

const { resolve } = nameServer({ "www.shop.example": [["127.0.0.1"]] });
const service = await testService({ publishUrl: true, httpOverrides: { resolve } });
afterAll(() => service.close());
beforeEach(() => service.clock.pass(HOUR));
const browse = await startBrowser();

const NEW = `${service.url}/dashboard/projects/new`;
const PASSWORD = "slow heavy metal music";
const at = (path: string) => `http://www.shop.example:${service.site.port}${path}`;
const box = (page: Page) => page.getByLabel(/paste up to 10 URLs/);
const list = (page: Page) => page.getByLabel("URLs, one per line");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function atFront(options: BrowserContextOptions = {}) {
  const context = await browse(options);
  // The first pages that a process reads load its HTTP client.
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await page.goto(service.url);
  return { context, page };
}

/** Signs the browser in as an account that has bought 150 credits. */
async function signInAs(context: Awaited<ReturnType<typeof browse>>) {
  const { user, accountId } = await signedIn(service);
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  return accountId;
}

let last = 0;

/** Signs up on the page of what was found, and opens the mailed link. */
async function signUp(page: Page): Promise<void> {
  const email = `stranger-${++last}@example.com`;
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await button(page, "Create account").click();
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  await page.goto(linkIn(service.outbox, email));
  await button(page, "Create my account").click();
  await page.waitForURL(/\/projects\/new/);
}

test("without a script: pasted once, through sign-up and payment to the project", async () => {
  const { page } = await atFront({ javaScriptEnabled: false });
  await box(page).fill(`${at("/a")}\n${at("/b")}`);
  await button(page, "Try these pages").click();
  await page.getByRole("heading", { name: "Submit 2 URLs for 2 credits" }).waitFor();
  await signUp(page);
  expect(await list(page).inputValue()).toBe(`${at("/a")}\n${at("/b")}`);
  await button(page, "Count and show the price").click();
  await button(page, /^Buy Basic/).click();
  await button(page, "Pay $9.99").click();
  await page.getByText("Thank you: 150 credits added").waitFor();
  await button(page, "Count and show the price").click();
  await button(page, "Submit 2 URLs for 2 credits").click();
  await page.waitForURL(/\/dashboard\/projects\/prj_/);
});

test("back and forward through the payment, and leaving it: the list is still there", async () => {
  const { page } = await atFront();
  await box(page).fill(at("/back"));
  await button(page, "Try these pages").click();
  await signUp(page);
  await button(page, /^Buy Basic/).click();
  await button(page, "Pay $9.99").waitFor();
  await page.goBack();
  await button(page, /^Buy Basic/).waitFor();
  expect(await list(page).inputValue()).toBe(at("/back"));
  await page.goForward();
  await page.getByRole("link", { name: "Leave without paying" }).click();
  await page.getByRole("link", { name: "back to your list" }).click();
  await button(page, /^Buy Basic/).click();
  await button(page, "Decline the card").click();
  await page.getByText("The card was declined.").waitFor();
  await page.goto(NEW);
  await button(page, /^Buy Basic/).click();
  await button(page, "Pay $9.99").click();
  await button(page, "Submit 1 URL for 1 credit").waitFor();
});

test("what was found is there again after going on and back, and is not read a second time", async () => {
  const { page } = await atFront();
  await box(page).fill(at("/once"));
  await button(page, "Try these pages").click();
  await page.getByRole("heading", { level: 2, name: /Submit 1 URL/ }).waitFor();
  await page.getByRole("link", { name: "sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 2, name: /Submit 1 URL/ }).waitFor();
  expect(service.site.hits("/once")).toBe(1);
  await page.goBack();
  expect(await box(page).inputValue()).toBe(at("/once"));
  await button(page, "Try these pages").waitFor();
});

test("20,000 lines: the first ten are read, and all of them are in the form of a new project", async () => {
  const { context, page } = await atFront();
  const lines = Array.from({ length: 20_000 }, (_, i) => at(`/long/folder/of/the/shop/page-${i}`)).join("\n");
  // Typed by the browser itself, so many lines take a minute.
  await box(page).evaluate((area, text) => {
    (area as HTMLTextAreaElement).value = text;
    area.dispatchEvent(new Event("input"));
  }, lines);
  await button(page, "Try these pages").click();
  await page.getByText("These are the first 10 pages of your list.").waitFor();
  await signInAs(context);
  await page.goto(NEW);
  await page.locator(".total", { hasText: "A project takes 10,000 URLs: split the list." }).waitFor();
  expect((await list(page).inputValue()).length).toBe(lines.length);
});

test("two tabs: a tab forgets what it has submitted, and not what another one keeps", async () => {
  const { context, page } = await atFront();
  const accountId = await signInAs(context);
  await page.goto(NEW);
  await list(page).fill("https://example.com/first");
  await button(page, "Submit 1 URL for 1 credit").waitFor();
  const other = await context.newPage();
  await other.goto(NEW);
  expect(await list(other).inputValue()).toBe("https://example.com/first");
  await list(other).fill("https://example.com/second\nhttps://example.com/third");
  await button(other, "Submit 2 URLs for 2 credits").waitFor();
  await button(page, "Submit 1 URL for 1 credit").click();
  await page.waitForURL(/\/dashboard\/projects\/prj_/);
  await page.goto(NEW);
  expect(await list(page).inputValue()).toBe("https://example.com/second\nhttps://example.com/third");
  await button(other, "Submit 2 URLs for 2 credits").click();
  await other.waitForURL(/\/dashboard\/projects\/prj_/);
  await other.goto(NEW);
  expect(await list(other).inputValue()).toBe("");
  const page1 = { kind: "all", status: "any", limit: 50, offset: 0 } as const;
  expect((await projectsOf(service.db, accountId, page1)).rows).toHaveLength(2);
});

test("signing out forgets the list of this browser", async () => {
  const { context, page } = await atFront();
  await signInAs(context);
  await page.goto(NEW);
  await list(page).fill("https://example.com/mine");
  await button(page, "Submit 1 URL for 1 credit").waitFor();
  await page.goto(`${service.url}/sign-out`);
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(`${service.url}/`);
  expect(await box(page).inputValue()).toBe("");
});

test.each([
  ["320 px", { viewport: { width: 320, height: 700 } }],
  ["twice the size", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
])("nothing is cut off at %s", async (_, options) => {
  const { page } = await atFront(options);
  const width = () => page.evaluate("document.documentElement.scrollWidth");
  expect(await width()).toBe(options.viewport.width);
  await box(page).fill(`${at(`/${"x".repeat(300)}`)}\n${at("/ok")}\n${"y".repeat(500)}`);
  await button(page, "Try these pages").click();
  await page.getByRole("heading", { level: 2, name: /Submit 2 URLs/ }).waitFor();
  expect(await width()).toBe(options.viewport.width);
});

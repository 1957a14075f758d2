import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "../../src/domain/ledger/ledger.ts";
import { projectsOf } from "../../src/domain/projects/list-projects.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { testService } from "../support/service/service.ts";
import { projectOf } from "../support/website/account-fixtures.ts";
import { startBrowser } from "../support/website/browser.ts";
import { askedApproval } from "../support/website/inbox.ts";
import { expectUnmoved, measurePage } from "../support/website/page-cost.ts";
import { type SlowProxy, slowProxy } from "../support/website/slow-proxy.ts";
import { signedIn } from "../support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));
const browse = await startBrowser();
const { db } = service;

let proxy: SlowProxy;
beforeAll(async () => {
  proxy = await slowProxy(service.url);
});
afterAll(() => proxy.close());

const NEW = "/dashboard/projects/new";
const LIST = "https://example.com/a\nhttps://example.com/b";
const list = (page: Page) => page.getByLabel("URLs, one per line");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const projectsIn = async (accountId: string) =>
  (await projectsOf(db, accountId, { kind: "all", status: "any", limit: 50, offset: 0 })).rows;

/** A browser behind the slow network, in which somebody with 150 credits is signed in. */
async function atHome(options: BrowserContextOptions = {}) {
  const { user, accountId } = await signedIn(service);
  const context = await browse(options);
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: proxy.url }]);
  return { page: await context.newPage(), accountId };
}

type Home = Awaited<ReturnType<typeof atHome>>;

describe("a page is shown before its script has come, and nothing moves when it comes", () => {
  test.each<[string, (home: Home) => Promise<string> | string]>([
    ["the front page", () => "/"],
    ["a document", () => "/docs/operations/submit_urls"],
    ["the overview", () => "/dashboard"],
    ["the form of a new project", () => NEW],
    [
      "a project",
      async ({ accountId }) => `/dashboard/projects/${await projectOf(service, accountId, LIST.split("\n"))}`,
    ],
    ["the packs", () => "/dashboard/buy"],
  ])("%s", async (name, pathOf) => {
    const home = await atHome({ viewport: { width: 390, height: 844 } });
    const cost = await measurePage(home.page);
    const script = proxy.hold("GET", /assets\/page-/);
    await home.page.goto(proxy.url + (await pathOf(home)), { waitUntil: "commit" });
    await script.come;
    await home.page.evaluate(PAINTED);
    await home.page.getByRole("heading", { level: 1 }).waitFor();
    script.release();
    expectUnmoved(await cost(), name);
  });
});

/** Returns as soon as the button is pressed: a click would wait for the page that it leads to. */
const AT_ONCE = { noWaitAfter: true };

/**
 * Presses a button again when it was pressed, and then asks for robots.txt. The page does it by itself: a test cannot reach a page
 * that waits for the next one.
 */
const PRESS_AGAIN = `addEventListener("submit", ({ submitter }) => setTimeout(() => {
  sessionStorage.shown = submitter.textContent;
  submitter.click();
  setTimeout(() => fetch("/robots.txt"));
}), { once: true })`;

/** Until the browser has shown something. */
const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
})`;

describe("a button that is pressed twice while the answer is slow works once, and shows that it works", () => {
  test.each<[name: string, path: string, action: RegExp, open: (home: Home) => Promise<unknown>]>([
    ["Submit 2 URLs for 2 credits", NEW, /projects\/new$/, ({ page }) => list(page).fill(LIST)],
    ["Buy Basic", "/dashboard/buy", /buy$/, async () => undefined],
    ["Create key", "/dashboard/keys", /keys$/, ({ page }) => page.locator("[name=name]").fill("One")],
    ["Approve", "/dashboard", /approvals/, async () => undefined],
  ])("%s", async (name, path, action, fill) => {
    const home = await atHome();
    const { page, accountId } = home;
    if (name === "Approve") await askedApproval(service, accountId);
    await page.goto(proxy.url + path);
    await fill(home);
    const [answer, again] = [proxy.hold("POST", action), proxy.hold("GET", /robots.txt/)];
    await page.evaluate(PRESS_AGAIN);
    await button(page, name).click(AT_ONCE);
    await again.come;
    again.release();
    await answer.come;
    const arrived = page.waitForEvent("load");
    answer.release();
    await arrived;
    expect(await page.evaluate("sessionStorage.shown")).toBe(`${name}…`);
    expect(answer.requests).toBe(1);
  });
});

describe("law: an answer that is lost after the service has acted leads to no second spend", () => {
  test.each([
    ["the page is loaded again", true, (page: Page) => page.reload()],
    ["the form is opened and sent again", true, openAndSend],
    ["without a script, the page is loaded again", false, (page: Page) => page.reload()],
  ] as const)("a submission: %s", async (_, javaScriptEnabled, sendAgain) => {
    const { page, accountId } = await atHome({ javaScriptEnabled });
    await page.goto(proxy.url + NEW);
    await list(page).fill(LIST);
    if (!javaScriptEnabled) await button(page, "Count and show the price").click();
    await loseAnswer(page, "Submit 2 URLs for 2 credits", /projects\/new$/);
    await sendAgain(page);
    expect(await projectsIn(accountId)).toHaveLength(1);
    expect(await balanceOf(db, accountId)).toBe(148);
  });

  test("a payment: the page is loaded again, and then opened again, where there is nothing left to pay", async () => {
    const { page, accountId } = await atHome();
    await page.goto(`${proxy.url}/dashboard/buy`);
    await loseAnswer(page, "Buy Basic", /buy$/);
    await page.reload();
    const pay = page.url();
    await loseAnswer(page, "Pay $9.99", /sandbox\/pay/);
    await page.reload();
    await page.getByText("Thank you: 150 credits added").waitFor();
    await page.goto(pay);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await button(page, "Pay $9.99").count()).toBe(0);
    expect(await balanceOf(db, accountId)).toBe(300);
    const { orders } = db.t;
    // The first one is the pack that the account began with.
    expect((await db.q.select().from(orders)).filter((order) => order.accountId === accountId)).toHaveLength(2);
  });
});

/** Presses a button, whose answer is cut off when the service has done what it asks for. */
async function loseAnswer(page: Page, name: string, action: RegExp): Promise<void> {
  const answer = proxy.hold("POST", action);
  const lost = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
  await button(page, name).click(AT_ONCE);
  await answer.come;
  answer.cut();
  await lost;
  await page.waitForURL("chrome-error://chromewebdata/");
}

/** The draft is still there, and the list is known as submitted: to send it again needs one more agreement. */
async function openAndSend(page: Page): Promise<void> {
  await page.goto(proxy.url + NEW);
  expect(await list(page).inputValue()).toBe(LIST);
  await button(page, "Submit 2 URLs for 2 credits").click();
  await page.getByText("You have submitted 2 of these URLs in an earlier project").waitFor();
}

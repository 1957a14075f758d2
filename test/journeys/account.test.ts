import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../src/domain/credentials/keys.ts";
import { balanceOf } from "../../src/domain/ledger/ledger.ts";
import { DAY, HOUR, MINUTE } from "../../src/platform/clock.ts";
import { openSessionOf } from "../support/database/people.ts";
import { startForeignSite } from "../support/network/foreign-site.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";
import { projectOf, statusOf } from "../support/website/account-fixtures.ts";
import { startBrowser } from "../support/website/browser.ts";
import { PHONE } from "../support/website/pages/variants.ts";
import { signedIn } from "../support/website/user.ts";
import { visitorOf, WAYS, type Way } from "../support/website/visitor.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));
const browse = await startBrowser();
const elsewhere = await startForeignSite();
const { db, clock } = service;

const SECTION = `${service.url}/dashboard`;
const URLS = Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`);

/** A browser in which the owner of a new account is signed in. */
async function opened(options: Way["options"] = {}) {
  const { user, accountId } = await signedIn(service);
  const context = await browse(options);
  await signIn(context, user.cookies.get("sid")!);
  return { context, accountId, page: await context.newPage() };
}

async function signIn(context: BrowserContext, value: string): Promise<void> {
  await context.addCookies([{ name: "sid", value, url: service.url }]);
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

describe.each(WAYS)("%s", (_, way) => {
  test("what is not sent yet is cancelled, after its consequence was said", async () => {
    const { page, accountId } = await opened(way.options);
    const { press } = visitorOf(page, way);
    const id = await projectOf(service, accountId, URLS);
    await page.goto(`${SECTION}/projects/${id}`);
    await press(page.getByText("Cancel what is not sent yet"));
    await page.getByText("20 URLs will not be sent. 20 credits come back at once.").waitFor();
    await press(button(page, "Cancel 20 URLs"));
    await page.getByText("Cancelled. What was sent already goes on.").waitFor();
    expect(await balanceOf(db, accountId)).toBe(150);
  });

  test("a site is added, and its key file is the one to place", async () => {
    const { page, accountId } = await opened(way.options);
    const { type, press } = visitorOf(page, way);
    await page.goto(`${SECTION}/sites`);
    await type(page.getByLabel("Host"), "www.example.com");
    await press(button(page, "Add site"));
    const link = page.getByRole("link", { name: "Download the key file" });
    const [download] = await Promise.all([page.waitForEvent("download"), press(link)]);
    const { sites } = db.t;
    const [site] = await db.q.select().from(sites).where(eq(sites.accountId, accountId));
    expect(readFileSync(await download.path(), "utf8")).toBe(site!.indexnowKey);
    expect(download.suggestedFilename()).toBe(`${site!.indexnowKey}.txt`);
  });

  test("a key is made, and works", async () => {
    const { page } = await opened(way.options);
    const { type, press } = visitorOf(page, way);
    await page.goto(`${SECTION}/keys`);
    await type(page.getByLabel("Name"), "My script");
    await press(button(page, "Create key"));
    const key = (await page.locator("pre.key code").textContent())!.trim();
    expect(await statusOf(service, key)).toBe(200);
  });

  test("a list is downloaded, to the byte as the API answers it", async () => {
    const { page, accountId } = await opened(way.options);
    const { press } = visitorOf(page, way);
    const id = await projectOf(service, accountId, URLS);
    const key = await db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now: clock.now() }));
    for (const name of ["CSV", "JSON"]) {
      await page.goto(`${SECTION}/projects/${id}?search=1&sort=-url`);
      const link = page.getByRole("link", { name, exact: true });
      const [download] = await Promise.all([page.waitForEvent("download"), press(link)]);
      const path = `/projects/${id}/links.${name.toLowerCase()}?search=1&sort=-url`;
      const api = await service.request("GET", path, { key });
      expect(readFileSync(await download.path(), "utf8")).toBe(api.text);
    }
  });
});

test("in a second tab, what was cancelled in the first is not cancelled again", async () => {
  const { page, context, accountId } = await opened();
  const id = await projectOf(service, accountId, URLS);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${SECTION}/projects/${id}`);
    await tab.getByText("Cancel what is not sent yet").click();
  }
  for (const tab of [page, other]) {
    await button(tab, "Cancel 20 URLs").click();
    await tab.waitForURL(/done=cancelled/);
  }
  expect(await balanceOf(db, accountId)).toBe(150);
});

test("a form that was opened before signing in again changes nothing, and leads back to its page", async () => {
  const { page, context, accountId } = await opened();
  await page.goto(`${SECTION}/sites`);
  await page.getByLabel("Host").fill("www.example.com");
  const now = clock.now();
  await signIn(
    context,
    await db.tx((tx) => openSessionOf(tx, { accountId, browser: "Firefox", ip: "127.0.0.1", now })),
  );
  await button(page, "Add site").click();
  await page.getByRole("heading", { name: "This form has expired" }).waitFor();
  expect(await db.q.select().from(db.t.sites).where(eq(db.t.sites.accountId, accountId))).toEqual([]);
  await page.getByRole("link", { name: "Open the page again" }).click();
  await page.waitForURL(/\/dashboard/);
});

test("a phone without a connection for a minute says so, and shows what has changed once it is back", async () => {
  const { page, context, accountId } = await opened(PHONE);
  const id = await projectOf(service, accountId, URLS);
  await page.clock.install();
  await page.goto(`${SECTION}/projects/${id}`);
  const lost = page.getByText("No connection: this page is not up to date.");
  expect(await lost.isVisible()).toBe(false);
  await context.setOffline(true);
  await lost.waitFor();
  await testChecker(service).until(clock.service() + HOUR);
  await page.clock.runFor(MINUTE);
  expect(await lost.isVisible()).toBe(true);
  expect(await page.locator("#result").textContent()).toContain("Waiting");
  await context.setOffline(false);
  await page.locator("#result .state.state-checking").first().waitFor();
  expect(await lost.isVisible()).toBe(false);
  await testChecker(service).until(clock.service() + 5 * DAY);
  await page.clock.runFor(5_000);
  await page.locator("#result .state.state-indexed").first().waitFor();
});

describe("a copy of a page at another origin, with the form token of its victim", () => {
  async function copied() {
    const { page, context, accountId } = await opened({ bypassCSP: true });
    await page.goto(`${SECTION}/sites`);
    const html = (await page.content()).replaceAll('action="/', `action="${service.url}/`);
    elsewhere.pages.set("/copy", html);
    const copy = await context.newPage();
    await copy.goto(`${elsewhere.origin}/copy`);
    return { copy, accountId };
  }

  test("403: its forms change nothing", async () => {
    const { copy, accountId } = await copied();
    await copy.getByLabel("Host").fill("www.example.com");
    const sent = copy.waitForResponse(`${service.url}/dashboard/sites`);
    await button(copy, "Add site").click();
    expect((await sent).status()).toBe(403);
    expect(await db.q.select().from(db.t.sites).where(eq(db.t.sites.accountId, accountId))).toEqual([]);
  });

  test("its scripts read no page of ours, with the cookies of the victim or without", async () => {
    const { copy } = await copied();
    const read = (path: string, credentials: string) =>
      copy.evaluate(
        `fetch(${JSON.stringify(service.url + path)}, { credentials: "${credentials}" }).then(() => "read", () => "refused")`,
      );
    for (const path of ["/dashboard", "/dashboard/projects.csv", "/sign-in"])
      for (const credentials of ["include", "omit"])
        expect([path, await read(path, credentials)]).toEqual([path, "refused"]);
  });
});

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/packs.ts";
import { nameServer } from "./support/network/raw-server.ts";
import { linkIn } from "./support/oauth/consent.ts";
import { testService } from "./support/service/service.ts";
import { projectOf } from "./support/website/account-fixtures.ts";
import { startBrowser } from "./support/website/browser.ts";
import { askedApproval } from "./support/website/inbox.ts";
import { signedIn } from "./support/website/user.ts";

const { resolve } = nameServer({ "www.shop.example": [["127.0.0.1"]] });
const service = await testService({ publishUrl: true, httpOverrides: { resolve } });
afterAll(() => service.close());
const browse = await startBrowser();

/** A browser in which clicks are counted, in all of its tabs. */
async function countedBrowser() {
  const context = await browse();
  let clicks = 0;
  await context.exposeFunction("clicked", () => {
    clicks += 1;
  });
  // The key Enter in a field clicks no button, as there is none.
  await context.addInitScript('addEventListener("click", () => clicked(), true)');
  return { context, clicks: () => clicks };
}

/** A browser at the overview of a new account. */
async function atOverview(fill: (accountId: string) => Promise<unknown>) {
  const { user, accountId } = await signedIn(service);
  await fill(accountId);
  const { context, clicks } = await countedBrowser();
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page: Page = await context.newPage();
  await page.goto(`${service.url}/dashboard`);
  return { page, accountId, clicks };
}

test("a stranger pastes 188 URLs once, and has submitted them after an account and a payment: 6 clicks, and one in the mail", async () => {
  const { context, clicks } = await countedBrowser();
  // The first pages that a process reads load its HTTP client.
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await page.goto(service.url);
  const lines = Array.from({ length: 188 }, (_, i) => `http://www.shop.example:${service.site.port}/page-${i}`);
  await page.getByLabel(/paste up to 10 URLs/).fill(lines.join("\n"));
  await page.getByRole("button", { name: "Try these pages" }).click();
  await page.getByText("first 10 of 188 pages").waitFor();
  await page.getByLabel("E-mail address").fill("stranger@example.com");
  await page.getByLabel("Password").fill("slow heavy metal music");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  // Mail programs open links in a new tab.
  const tab = await context.newPage();
  await tab.goto(linkIn(service.outbox, "stranger@example.com"));
  await tab.getByRole("button", { name: "Create my account" }).click();
  await tab.getByText("188 URLs, 0 duplicates, 0 invalid").waitFor();
  await tab.getByRole("button", { name: "Buy Pro: 500 credits for $29.99" }).click();
  await tab.getByRole("button", { name: "Pay $29.99" }).click();
  await tab.getByText("Thank you: 500 credits added").waitFor();
  await tab.getByRole("button", { name: "Submit 188 URLs for 188 credits" }).click();
  await tab.waitForURL(/\/dashboard\/projects\/prj_\w+$/);
  expect(clicks()).toBeLessThanOrEqual(6);
  // The draft is forgotten, and nothing leads back to it.
  await tab.goto(`${service.url}/dashboard/projects/new`);
  expect(await tab.getByLabel("URLs, one per line").inputValue()).toBe("");
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("list");
});

test("an approval is found and given from the overview by one click", async () => {
  let id = "";
  const { page, clicks } = await atOverview(async (accountId) => {
    id = await askedApproval(service, accountId);
  });
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Approved. The same call goes through once").waitFor();
  expect(clicks()).toBeLessThanOrEqual(2);
  const { approvals } = service.db.t;
  const row = (await service.db.q.select().from(approvals)).find((one) => one.id === id);
  expect(row!.status).toBe("approved");
});

test("any URL of 300 projects is found from the overview by one click", async () => {
  const { page, clicks } = await atOverview(async (accountId) => {
    const { db, clock } = service;
    await db.tx((tx) => bookSandboxOrder(tx, { accountId, pack: PACKS[2], now: clock.now() }));
    for (let n = 0; n < 300; n++) await projectOf(service, accountId, [`https://client-${n % 25}.example/page-${n}`]);
  });
  await page.keyboard.press("/");
  await page.keyboard.type("client-17.example/page-142");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "https://client-17.example/page-142" }).click();
  await page.waitForURL(/\/dashboard\/projects\/prj_\w+\/links\/lnk_\w+$/);
  expect(clicks()).toBeLessThanOrEqual(2);
  await page.getByText("client-17.example/page-142").first().waitFor();
});

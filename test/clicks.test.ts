import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/packs.ts";
import { testService } from "./support/service/service.ts";
import { projectOf } from "./support/website/account-fixtures.ts";
import { startBrowser } from "./support/website/browser.ts";
import { askedApproval } from "./support/website/inbox.ts";
import { signedIn } from "./support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

/** A browser at the overview of a new account, in which clicks are counted. */
async function atOverview(fill: (accountId: string) => Promise<unknown>) {
  const { user, accountId } = await signedIn(service);
  await fill(accountId);
  const context = await browse();
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page: Page = await context.newPage();
  let clicks = 0;
  await page.exposeFunction("clicked", () => {
    clicks += 1;
  });
  // The key Enter in a field clicks no button, as there is none.
  await page.addInitScript('addEventListener("click", () => clicked(), true)');
  await page.goto(`${service.url}/dashboard`);
  return { page, accountId, clicks: () => clicks };
}

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

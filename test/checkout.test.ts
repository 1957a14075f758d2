import type { Page } from "playwright-core";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { CardProcessor } from "../src/domain/payments/cards/card-processor.ts";
import { startForeignSite } from "./support/network/foreign-site.ts";
import { linkIn } from "./support/oauth/consent.ts";
import { hostedCardProcessor } from "./support/payments/buy-page.ts";
import { testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { signedIn } from "./support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();
const other = await startForeignSite();

const PASSWORD = "slow heavy metal music";

/** What the policy of a page stopped. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|refused/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const go = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).click();

/** From the page of prices, as a stranger, through sign-up and its mail, to the payment page of a pack. */
async function toPayment(page: Page, email: string, pack: string): Promise<void> {
  await page.goto(`${service.url}/pricing`);
  await go(page, `Buy ${pack}`);
  await go(page, "Create an account");
  await page.locator('input[name="email"]').fill(email);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await press(page, "Create account");
  await page.waitForURL(/\/sign-up\/sent/);
  await page.goto(linkIn(service.outbox, email));
  await press(page, "Create my account");
  await page.waitForURL(`${service.url}/dashboard/buy?pack=${pack.toLowerCase()}`);
  await press(page, `Buy ${pack}`);
  await page.getByText("Sandbox: no money moves here").waitFor();
}

/** From the thanks to a key that submits a URL. */
async function toProject(page: Page, credits: number): Promise<void> {
  await page.getByRole("heading", { name: `Thank you: ${credits.toLocaleString("en-US")} credits` }).waitFor();
  await go(page, "Create an API key");
  await page.locator('input[name="name"]').fill("My script");
  await press(page, "Create key");
  const key = (await page.locator("pre.key code").textContent())!.trim();
  const body = { urls: ["https://example.com/"] };
  const { status, json } = await service.request("POST", "/projects", { key, body });
  expect([status, json.balance]).toEqual([201, credits - 1]);
}

test("signs up, buys a pack, pays on the sandbox's page, creates a key, and the key submits a URL", async () => {
  const page = await (await browse()).newPage();
  const complaints = complaintsOf(page);
  await toPayment(page, "pays@example.com", "Pro");
  await press(page, "Pay $29.99");
  await toProject(page, 500);
  await page.goto(`${service.url}/dashboard/ledger`);
  await page.getByText("Your balance is 499 credits").waitFor();
  expect(complaints).toEqual([]);
});

test("a receipt is printed by its button: on paper it is dark on white, without header, buttons and links of the site", async () => {
  const { user } = await signedIn(service);
  const context = await browse({ colorScheme: "dark" });
  await context.addCookies([...user.cookies].map(([name, value]) => ({ name, value, url: service.url })));
  const page = await context.newPage();
  await page.addInitScript("window.print = () => { document.title = 'printed'; }");
  await page.goto(`${service.url}/dashboard/orders`);
  await go(page, "Receipt");
  await press(page, "Print this receipt");
  expect(await page.title()).toBe("printed");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const gone of ["header", "footer", "button"]) expect(await page.locator(gone).first().isVisible()).toBe(false);
  const [text] = await page.locator("main").allInnerTexts();
  expect(text).toMatch(/^Receipt \w{10}-0001/);
  expect(text).not.toMatch(/See the order|Print/);
  const colors = "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))";
  expect(await page.evaluate(colors)).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
});

test("the card is declined, a new payment goes through, and the key submits a URL", async () => {
  const page = await (await browse()).newPage();
  const complaints = complaintsOf(page);
  await toPayment(page, "declined@example.com", "Basic");
  await press(page, "Decline the card");
  await page.getByText("The card was declined.").waitFor();
  // Of two orders of one moment none is the newer.
  service.clock.pass(1_000);
  await go(page, "Try again with a new payment");
  await press(page, "Buy Basic");
  await press(page, "Pay $9.99");
  await toProject(page, 150);
  await page.goto(`${service.url}/dashboard/orders`);
  expect(await page.locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/^Basic test payment\s+paid\s/),
    expect.stringMatching(/^Basic test payment\s+payment failed\s/),
  ]);
  expect(complaints).toEqual([]);
});

test("pays later: no credits until the money arrives, and then the key submits a URL", async () => {
  const page = await (await browse()).newPage();
  const complaints = complaintsOf(page);
  await toPayment(page, "later@example.com", "Premium");
  await press(page, "Pay later");
  await page.getByRole("heading", { name: "Your payment is being processed" }).waitFor();
  await go(page, "Reload this page");
  await page.goto(`${service.url}/dashboard/keys`);
  await page.getByText("You can create keys once you have bought credits").waitFor();
  await go(page, /^Credits$/);
  await go(page, "Orders");
  await page.getByText("payment processing").waitFor();
  await go(page, "Premium");
  await go(page, "let the transfer arrive or fail");
  await press(page, "Transfer arrives");
  await toProject(page, 1100);
  expect(complaints).toEqual([]);
});

test("leaves without paying, comes back to the open order, and pays it", async () => {
  const page = await (await browse()).newPage();
  await toPayment(page, "leaves@example.com", "Agency");
  const address = page.url();
  await go(page, "Leave without paying");
  await page.getByRole("heading", { name: "You have not paid" }).waitFor();
  await page.goto(`${service.url}/dashboard/buy`);
  await press(page, "Buy Agency");
  await page.waitForURL(address);
  await press(page, "Pay $149.99");
  await page.getByRole("heading", { name: "Thank you: 3,000 credits added to your balance" }).waitFor();
});

/** The page of packs of a shop whose cards are taken on another site. */
async function shopOf(origin: string): Promise<Page> {
  const cards: CardProcessor = {
    ...hostedCardProcessor(),
    origin,
    open: async ({ orderId }) => ({ reference: orderId, url: `${other.origin}/pay` }),
  };
  const shop = await testService({ publishUrl: true, payments: { cards, direct: null } });
  onTestFinished(() => shop.close());
  const { user } = await signedIn(shop, { paid: false });
  const context = await browse();
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: shop.url }]);
  const page = await context.newPage();
  await page.goto(`${shop.url}/dashboard/buy`);
  return page;
}

test("law: the policy of the packs page allows the redirect to the card processor", async () => {
  const page = await shopOf(other.origin);
  const complaints = complaintsOf(page);
  await press(page, "Buy Pro");
  await page.waitForURL(`${other.origin}/pay`);
  expect(complaints).toEqual([]);
});

test("law: the policy of the packs page allows no other redirect", async () => {
  const page = await shopOf("https://pay.example");
  const stopped = page.waitForEvent("console", (message) => /form-action/.test(message.text()));
  await press(page, "Buy Pro");
  await stopped;
  expect(page.url()).toMatch(/\/dashboard\/buy$/);
});

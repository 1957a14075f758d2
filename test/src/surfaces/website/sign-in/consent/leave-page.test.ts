import * as oauth from "oauth4webapi";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { startForeignSite } from "../../../../../support/network/foreign-site.ts";
import { StrictApp } from "../../../../../support/oauth/strict-app.ts";
import { testService } from "../../../../../support/service/service.ts";
import { startBrowser } from "../../../../../support/website/browser.ts";
import { member, PASSWORD } from "../../../../../support/website/member.ts";
import { signedIn } from "../../../../../support/website/user.ts";

// How apps get their answer in a browser: in a popup, by a callback that leads on, by a scheme of their own.
const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();
const app = await startForeignSite();
const onward = await startForeignSite();
const issuer = new URL(service.url);

/** A browser in which somebody is signed in. */
async function signedInBrowser(): Promise<{ page: Page; context: BrowserContext }> {
  const { user } = await signedIn(service);
  const context = await browse();
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  return { page: await context.newPage(), context };
}

/** Opens the consent page of an app that has the redirect URI, and allows it. */
async function allow(page: Page, redirect: string) {
  const client = await StrictApp.of(issuer, redirect);
  const { address, verifier, state } = await client.request({ scope: "read" });
  await page.goto(`${address}`);
  const exchange = (answer: URL) =>
    client.exchange(oauth.validateAuthResponse(client.as, client.client, answer, state), verifier);
  return { exchange, click: () => page.getByRole("button", { name: "Allow" }).click() };
}

/** What the policy of a page stopped. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|refused/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

test("an app that opens sign-in and consent in a popup gets its answer from it", async () => {
  const ann = await member(service);
  const client = await StrictApp.of(issuer, `${app.origin}/popup-callback`);
  const { address, verifier, state } = await client.request({ scope: "read" });
  app.pages.set(
    "/popup-start",
    `<h1>waiting</h1><button onclick="window.open(${JSON.stringify(`${address}`).replaceAll('"', "&quot;")}, 'popup', 'width=500,height=700')">Connect</button>
<script>addEventListener("message", ({ data }) => { document.querySelector("h1").textContent = data; });</script>`,
  );
  app.pages.set(
    "/popup-callback",
    `<script>opener.postMessage(location.href, ${JSON.stringify(app.origin)}); window.close();</script>`,
  );
  const page = await (await browse()).newPage();
  await page.goto(`${app.origin}/popup-start`);
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button").click()]);
  await popup.locator('input[name="email"]').fill(ann.email);
  await popup.locator('input[name="password"]').fill(PASSWORD);
  await popup.locator('form[action="/sign-in"]').getByRole("button").click();
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Allow" }).click();
  await closed;
  await page.getByText("popup-callback").waitFor();
  const answer = new URL((await page.locator("h1").textContent())!);
  const tokens = await client.exchange(oauth.validateAuthResponse(client.as, client.client, answer, state), verifier);
  expect(tokens.scope).toBe("read");
});

test("a hosted callback that redirects onward, to another site, is followed", async () => {
  const { page } = await signedInBrowser();
  const complaints = complaintsOf(page);
  app.redirects.set("/hosted", `${onward.origin}/final`);
  const { exchange, click } = await allow(page, `${app.origin}/hosted`);
  await click();
  await page.waitForURL(`${onward.origin}/final`);
  expect(complaints).toEqual([]);
  const asked = app.asked.findLast(({ path }) => path.startsWith("/hosted?"))!;
  expect(asked.referrer).toBeUndefined();
  expect((await exchange(new URL(asked.path, app.origin))).scope).toBe("read");
});

test.each(["cursor://anysphere.cursor-mcp/oauth/callback", "vscode://ms.auth/callback", "com.example.app:/callback"])(
  "%s: the browser goes on to the app's own scheme, by itself and by the link of the page",
  async (redirect) => {
    const { page, context } = await signedInBrowser();
    const complaints = complaintsOf(page);
    const session = await context.newCDPSession(page);
    await session.send("Page.enable");
    const requested: { url: string; reason: string }[] = [];
    session.on("Page.frameRequestedNavigation", ({ url, reason }) => void requested.push({ url, reason }));
    const { exchange, click } = await allow(page, redirect);
    await click();
    await page.getByRole("heading", { name: "Back to the app" }).waitFor();
    const link = (await page.getByRole("link", { name: "continue to the app" }).getAttribute("href"))!;
    await expect.poll(() => requested.at(-1)).toEqual({ url: link, reason: "httpHeaderRefresh" });
    expect(link.startsWith(`${redirect}?`)).toBe(true);
    expect((await exchange(new URL(link))).scope).toBe("read");
    expect(complaints).toEqual([]);
  },
);

test("a hosted callback that leads on to an app's own scheme is followed", async () => {
  const { page, context } = await signedInBrowser();
  const complaints = complaintsOf(page);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const redirected: string[] = [];
  session.on("Network.requestWillBeSent", ({ request }) => void redirected.push(request.url));
  app.redirects.set("/to-app", "vscode://ms.auth/done");
  const { click } = await allow(page, `${app.origin}/to-app`);
  await click();
  await expect.poll(() => app.asked.some(({ path }) => path.startsWith("/to-app?code="))).toBe(true);
  await expect.poll(() => redirected).toContain("vscode://ms.auth/done");
  expect(complaints).toEqual([]);
});

test("without scripts the answer gets to the app as well", async () => {
  const { user } = await signedIn(service);
  const context = await browse({ javaScriptEnabled: false });
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page = await context.newPage();
  const { click } = await allow(page, `${app.origin}/plain`);
  await click();
  await page.waitForURL(/\/plain\?code=/);
});

test("a request that is wrong takes nobody to the app: the page names it, and leads there by a click", async () => {
  const { page } = await signedInBrowser();
  const client = await StrictApp.of(issuer, `${app.origin}/wrong`);
  const { address } = await client.request({ scope: "read" });
  address.searchParams.set("code_challenge_method", "plain");
  await page.goto(`${address}`);
  await page.getByRole("heading", { name: "This app cannot be connected" }).waitFor();
  expect(app.asked.some(({ path }) => path.startsWith("/wrong"))).toBe(false);
  await page.getByRole("link", { name: /return to/ }).click();
  await page.waitForURL(/\/wrong\?error=invalid_request/);
});

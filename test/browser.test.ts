import * as oauth from "oauth4webapi";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { startForeignSite } from "./support/network/foreign-site.ts";
import { linkIn } from "./support/oauth/consent.ts";
import { discover, StrictApp, tokensFor } from "./support/oauth/strict-app.ts";
import { testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { signedIn } from "./support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();
const other = await startForeignSite();
const issuer = new URL(service.url);

const PASSWORD = "slow heavy metal music";
const CLAIM = "urn:beckon:agent-auth:grant-type:claim";

/** A browser in which somebody is signed in. */
async function atHome(): Promise<{ page: Page; email: string; context: BrowserContext }> {
  const { user, email } = await signedIn(service);
  const context = await browse();
  const value = user.cookies.get("sid")!;
  await context.addCookies([{ name: "sid", value, url: service.url, httpOnly: true, sameSite: "Lax" }]);
  return { page: await context.newPage(), email, context };
}

/** What the policy of a page stopped. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|refused/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

async function statusOf(credential: string): Promise<number> {
  return (await service.request("GET", "/account", { key: credential })).status;
}

/** The form that leads to a path, by its button. */
function buttonOf(page: Page, action: string, label = /./) {
  return page.locator(`form[action="${action}"]`).getByRole("button", { name: label });
}

test("signs up, confirms the address by the mailed link, signs out and in again", async () => {
  const page = await (await browse()).newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${service.url}/sign-up`);
  const email = "browser@example.com";
  await page.locator('input[name="email"]').fill(email);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await buttonOf(page, "/sign-up").click();
  await page.waitForURL(/\/sign-up\/sent/);
  await page.goto(linkIn(service.outbox, email));
  await buttonOf(page, "/confirm").click();
  await page.waitForURL(`${service.url}/dashboard`);
  await page.getByText(`Signed in as ${email}`).waitFor();

  await page.getByText(`Signed in as ${email}`).click();
  await buttonOf(page, "/sign-out").click();
  await page.goto(`${service.url}/dashboard/keys`);
  await page.locator('input[name="email"]').fill(email);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await buttonOf(page, "/sign-in").click();
  await page.waitForURL(`${service.url}/dashboard/keys`);
  expect(complaints).toEqual([]);
});

for (const [decision, label] of [
  ["allows", /allow/i],
  ["declines", /decline/i],
] as const) {
  test(`comes from an app on another site, unticks a scope, ${decision}, and is redirected back as the policy allows`, async () => {
    const app = await StrictApp.of(issuer, `${other.origin}/callback`);
    const { address, verifier, state } = await app.request({ scope: "read index" });
    other.pages.set("/start", `<a href="${`${address}`.replaceAll("&", "&amp;")}">Connect</a>`);
    const { page } = await atHome();
    const complaints = complaintsOf(page);
    await page.goto(`${other.origin}/start`);
    await page.getByRole("link", { name: "Connect" }).click();
    await page.getByText("Strict app").first().waitFor();
    await page.getByRole("checkbox", { name: /index/ }).uncheck();
    await buttonOf(page, "/oauth/authorize", label).click();
    await page.getByRole("heading", { name: "arrived" }).waitFor();
    expect(complaints).toEqual([]);
    expect(page.url()).toMatch(new RegExp(`^${other.origin}/callback\\?`));
    const answer = new URL(page.url());
    if (decision === "declines") {
      expect(answer.searchParams.get("error")).toBe("access_denied");
      expect(answer.searchParams.get("state")).toBe(state);
    } else {
      const tokens = await app.exchange(oauth.validateAuthResponse(app.as, app.client, answer, state), verifier);
      expect(tokens.scope).toBe("read");
    }
  });
}

test("claims an agent: a wrong code is refused, the right one connects it", async () => {
  const { page, email } = await atHome();
  const complaints = complaintsOf(page);
  const response = await fetch(`${service.url}/api/agent/identity`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ type: "service_auth", login_hint: email, agent_name: "Robin's agent", scope: "read index" }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what came, whatever it is
  const { claim, claim_token } = (await response.json()) as any;
  await page.goto(claim.verification_uri);
  await page.getByText("Robin's agent").first().waitFor();
  await page.locator("input.code").fill(claim.user_code === "222222" ? "333333" : "222222");
  await page.getByRole("button", { name: /allow/i }).click();
  await page.getByRole("alert").waitFor();
  await page.locator("input.code").fill(` ${claim.user_code.toLowerCase()} `);
  await page.getByRole("checkbox", { name: /index/ }).uncheck();
  await page.getByRole("button", { name: /allow/i }).click();
  await page.locator("input.code").waitFor({ state: "detached" });
  const tokens = await tokensFor(await discover(issuer), CLAIM, { claim_token });
  expect(tokens.scope).toBe("read");
  expect(await statusOf(tokens.access_token)).toBe(200);
  expect(complaints).toEqual([]);
});

test("disconnects an app: 401 at its next call", async () => {
  const { user } = await signedIn(service);
  const app = await StrictApp.of(issuer);
  const tokens = await app.signIn(user, { scope: "read" });
  const context = await browse();
  await context.addCookies([{ name: "sid", value: user.cookies.get("sid")!, url: service.url }]);
  const page = await context.newPage();
  await page.goto(`${service.url}/dashboard/apps`);
  expect(await statusOf(tokens.access_token)).toBe(200);
  await page.getByText("Disconnect", { exact: true }).click();
  await page.getByRole("button", { name: /disconnect strict app/i }).click();
  await page.getByText("Nothing is connected").waitFor();
  expect(await statusOf(tokens.access_token)).toBe(401);
});

test("law: no other site can frame our pages", async () => {
  const { page } = await atHome();
  const frames = ["/dashboard", "/sign-in", "/oauth/authorize"].map((path) => `${service.url}${path}`);
  other.pages.set("/inside", "<h1>shown</h1>");
  const sources = [...frames, `${other.origin}/inside`];
  other.pages.set("/frames", sources.map((source) => `<iframe src="${source}"></iframe>`).join(""));
  await page.goto(`${other.origin}/frames`, { waitUntil: "load" });
  const shown = page.frames().slice(1);
  const texts = await Promise.all(shown.map((frame) => frame.locator("h1").allInnerTexts()));
  expect(shown).toHaveLength(4);
  expect(texts.at(-1)).toEqual(["shown"]);
  for (const frame of shown.slice(0, 3)) expect(frame.url()).toBe("chrome-error://chromewebdata/");
});

test("403: a form that another site sends changes nothing, with the cookie or without it", async () => {
  const { page } = await atHome();
  other.pages.set(
    "/attack",
    `<form method="post" action="${service.url}/sign-out"><input name="token" value="guess"><button>Win</button></form>`,
  );
  await page.goto(`${other.origin}/attack`);
  const [answer] = await Promise.all([
    page.waitForResponse(`${service.url}/sign-out`),
    page.getByRole("button", { name: "Win" }).click(),
  ]);
  expect(answer.status()).toBe(403);
  await page.goto(`${service.url}/dashboard`);
  await page.getByText("Signed in as").waitFor();
});

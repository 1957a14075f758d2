import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { ISSUER_CALLBACK_PATH } from "../src/domain/issuer/open-issuer.ts";
import { HOUR } from "../src/platform/clock.ts";
import { realIssuer } from "./support/issuer/real-issuer.ts";
import { testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { expectGoodLayout } from "./support/website/layout-rules.ts";
import { member, PASSWORD } from "./support/website/member.ts";

const issuer = await realIssuer();
const { url, clientId, clientSecret, people } = issuer;
const service = await testService({
  publishUrl: true,
  config: { issuer: { url, clientId, clientSecret, name: "Example Staff" } },
});
afterAll(() => service.close());
// The issuer has a clock of its own.
service.clock.pass(Date.now() - service.clock.now());
issuer.serve(`${service.url}${ISSUER_CALLBACK_PATH}`);
const browse = await startBrowser();

/** A browser of its own; axe can run in it. */
async function newPage(): Promise<Page> {
  return (await browse({ bypassCSP: true })).newPage();
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Signs in at the issuer, where the browser is. */
async function enter(page: Page, person: string): Promise<void> {
  await page.getByLabel("Person").fill(person);
  await press(page, "Enter");
}

/** An hour after which this service asks again; the issuer's clock goes on as it does. */
async function letHoursPass(): Promise<void> {
  const { db } = service;
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ authenticatedAt: service.clock.now() - 2 * HOUR }));
}

test("by a real issuer: signs up, signs out of both, signs in again, and proves it again before a passkey", async () => {
  people.set("ada", { email: "ada@example.com", email_verified: true });
  const page = await newPage();
  await page.goto(`${service.url}/sign-up`);
  await press(page, "Sign up with Example Staff");
  await enter(page, "ada");
  await page.waitForURL(`${service.url}/dashboard`);

  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await press(page, "Sign out");
  await page.waitForURL(`${service.url}/sign-out`);
  await press(page, "Sign out of Example Staff");
  await page.waitForURL(`${url}/session/end**`);
  await page.getByRole("button", { name: "Yes" }).click();
  await page.waitForURL(`${service.url}/`);

  // The address there changes: the person does not.
  people.set("ada", { email: "lovelace@example.com", email_verified: false });
  await page.goto(`${service.url}/sign-in?return_to=/dashboard/security`);
  await press(page, "Sign in with Example Staff");
  await enter(page, "ada");
  await page.waitForURL(`${service.url}/dashboard/security`);
  await page.getByText("Signed in as ada").waitFor();

  await letHoursPass();
  await page.getByRole("link", { name: "Add an authenticator app" }).click();
  await page.getByText("Example Staff asks you to sign in there once more.").waitFor();
  await press(page, "Continue with Example Staff");
  // It asks, though the person is signed in there.
  await enter(page, "ada");
  await page.waitForURL(`${service.url}/dashboard/security/app/new`);
});

test("by a real issuer: another person does not confirm, and cancelling signs nobody in", async () => {
  people.set("bob", { email: "bob@example.com", email_verified: true });
  people.set("eve", { email: "eve@example.com", email_verified: true });
  const page = await newPage();
  await page.goto(`${service.url}/sign-in`);
  await press(page, "Sign in with Example Staff");
  await press(page, "Cancel");
  await page.getByRole("heading", { name: "Example Staff did not sign you in" }).waitFor();
  await page.goto(`${service.url}/sign-in`);
  await press(page, "Sign in with Example Staff");
  await enter(page, "bob");
  await page.waitForURL(`${service.url}/dashboard`);
  await letHoursPass();
  await page.goto(`${service.url}/dashboard/security/app/new`);
  await press(page, "Continue with Example Staff");
  await enter(page, "eve");
  await page.getByRole("heading", { name: "That is another person" }).waitFor();
});

test("by a real issuer: an account with a password is signed in to once, connected, and then opened by the issuer", async () => {
  const { email } = await member(service, "cleo@example.com");
  people.set("cleo", { email, email_verified: true });
  const page = await newPage();
  await page.goto(`${service.url}/sign-in`);
  await press(page, "Sign in with Example Staff");
  await enter(page, "cleo");
  await page.getByRole("link", { name: "sign in and connect" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await press(page, "Sign in");
  await press(page, "Connect Example Staff");
  // Signed in there already, nobody is asked again.
  await page.getByText("You can sign in by it from now on.").waitFor();
  await page.context().clearCookies({ name: "sid" });
  await page.goto(`${service.url}/sign-in`);
  await press(page, "Sign in with Example Staff");
  await page.waitForURL(`${service.url}/dashboard`);
  const subjects = service.outbox.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(subjects).toContain("Example Staff now signs you in to Beckon");
});

test("by a real issuer: an address that it has not verified opens nothing", async () => {
  people.set("mallory", { email: "victim@example.com", email_verified: false });
  const page = await newPage();
  await page.goto(`${service.url}/sign-in`);
  await press(page, "Sign in with Example Staff");
  await enter(page, "mallory");
  await page.getByRole("heading", { name: "Example Staff has not confirmed your address" }).waitFor();
});

test("law: the pages of single sign-on fit a phone and violate no rule of axe", async () => {
  const { email } = await member(service, "dora@example.com");
  people.set("dora", { email, email_verified: true });
  const page = await newPage();
  for (const path of ["/sign-in", "/sign-up", "/sign-out", `${ISSUER_CALLBACK_PATH}?state=x`]) {
    await page.goto(`${service.url}${path}`);
    await expectGoodLayout(page, path);
  }
  await page.goto(`${service.url}/sign-in`);
  await press(page, "Sign in with Example Staff");
  await enter(page, "dora");
  await expectGoodLayout(page, "account exists");
  await page.getByRole("link", { name: "sign in and connect" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await press(page, "Sign in");
  await expectGoodLayout(page, "connect");
  await press(page, "Connect Example Staff");
  await page.getByText("Connected with Example Staff").waitFor();
  await expectGoodLayout(page, "connected");
  await letHoursPass();
  await page.goto(`${service.url}/dashboard/security/issuer`);
  await expectGoodLayout(page, "again");
});

import type { CDPSession, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { passkeysOf } from "../src/domain/factors/passkeys.ts";
import { DAY, HOUR } from "../src/platform/clock.ts";
import { ownerOf } from "./support/database/people.ts";
import { StrictApp } from "./support/oauth/strict-app.ts";
import { testService } from "./support/service/service.ts";
import { startBrowser } from "./support/website/browser.ts";
import { member, PASSWORD } from "./support/website/member.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();

/** By its name: an IP address is no id of a relying party. */
const SITE = service.url.replace("127.0.0.1", "localhost");

/** A browser with an authenticator of its own. */
interface Device {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

async function device(): Promise<Device> {
  const page = await (await browse()).newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  return { page, cdp, authenticatorId };
}

/** Signs in by the password. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${SITE}/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/(dashboard|sign-in\/second-step)/);
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${SITE}/dashboard/security/passkeys/new`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
}

/** Whoever has a passkey on their device, with their recovery codes. */
async function withPasskey(): Promise<Device & { email: string; accountId: string; codes: string[] }> {
  const who = await member(service);
  const own = await device();
  await signIn(own.page, who.email);
  await addPasskey(own.page, "Laptop");
  await own.page.getByText("Save these codes now").waitFor();
  const codes = (await own.page.locator("pre code").textContent())!.trim().split("\n");
  return { ...who, ...own, codes };
}

async function usePasskey(page: Page): Promise<void> {
  await page.goto(`${SITE}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
}

test("a passkey is added with ten recovery codes, listed with its name, and signs in without a password", async () => {
  const { page, email, codes } = await withPasskey();
  expect(codes).toHaveLength(10);
  expect(service.outbox.at(-1)).toMatchObject({ to: email, subject: "A passkey was added to your Beckon account" });
  await page.context().clearCookies();
  await usePasskey(page);
  await page.waitForURL(`${SITE}/dashboard`);
  await page.goto(`${SITE}/dashboard/security`);
  const item = page.locator(".items li", { hasText: "Laptop" });
  expect(await item.textContent()).toMatch(/Last used .+(now|ago)/s);
});

test("several passkeys: each on a device of its own; the same device holds one, and says so", async () => {
  const { page, email, accountId, codes } = await withPasskey();
  await addPasskey(page, "Again");
  await page.getByText("This device already holds a passkey of your account.").waitFor();
  const phone = await device();
  await signIn(phone.page, email);
  // The account has a passkey now, which this device does not hold: it has to be proved there first.
  await phone.page.goto(`${SITE}/dashboard/security/passkeys/new`);
  await phone.page.waitForURL(/\/sign-in\/confirm/);
  await phone.page.locator("input[name=code]").fill(codes[0]!);
  await phone.page.getByRole("button", { name: "Continue" }).click();
  await phone.page.waitForURL(/\/passkeys\/new/);
  await phone.page.getByLabel("Name").fill("Phone");
  await phone.page.getByRole("button", { name: "Add a passkey" }).click();
  await phone.page.getByText("The passkey is added. You can sign in with it.").waitFor();
  expect((await passkeysOf(service.db, await ownerOf(service.db, accountId))).map(({ name }) => name).sort()).toEqual([
    "Laptop",
    "Phone",
  ]);
});

test("a key, and everything else that acts later, needs the passkey again after an hour", async () => {
  const { page } = await withPasskey();
  service.clock.pass(2 * HOUR);
  await page.goto(`${SITE}/dashboard/security/recovery-codes`);
  await page.waitForURL(/\/sign-in\/confirm/);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(`${SITE}/dashboard/security/recovery-codes`);
  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  await page.getByText("Save these codes now").waitFor();
});

test("where it is required, the password alone leads to the second step; the passkey or a recovery code to the session", async () => {
  const { page, email, codes } = await withPasskey();
  await page.goto(`${SITE}/dashboard/security`);
  await page.getByRole("button", { name: "Ask for it at every sign-in" }).click();
  await page.getByText("now asks for a passkey or a code too").waitFor();
  await page.context().clearCookies();
  await signIn(page, email);
  expect(new URL(page.url()).pathname).toBe("/sign-in/second-step");
  await page.goto(`${SITE}/dashboard`);
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  await signIn(page, email);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(`${SITE}/dashboard`);
  const elsewhere = await (await browse()).newPage();
  await signIn(elsewhere, email);
  await elsewhere.locator("input[name=code]").fill(codes[0]!);
  await elsewhere.getByRole("button", { name: "Continue" }).click();
  await elsewhere.waitForURL(`${SITE}/dashboard`);
  expect(service.outbox.at(-1)!.subject).toBe("A recovery code of your Beckon account was used");
});

test("cancelled: the page says that nothing was changed, and it can be tried again", async () => {
  const { page, cdp, authenticatorId } = await withPasskey();
  await page.context().clearCookies();
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await usePasskey(page);
  await page.getByText("it was cancelled, or took too long").waitFor();
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${SITE}/dashboard`);
});

test("a clone: a passkey whose counter goes back is refused, and its owner is mailed", async () => {
  const { page, cdp, authenticatorId, email } = await withPasskey();
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
  const [credential] = credentials;
  await page.context().clearCookies();
  await usePasskey(page);
  await page.waitForURL(`${SITE}/dashboard`);
  // The copy still has the counter from before.
  await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential!.credentialId });
  await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential!, signCount: 0 } });
  await page.context().clearCookies();
  await usePasskey(page);
  await page.getByText("its counter went back").waitFor();
  expect(service.outbox.at(-1)).toMatchObject({ to: email, subject: "A passkey of your Beckon account was refused" });
});

test("at an IP address the page says why there is no passkey, and where there is", async () => {
  const who = await member(service);
  const page = await (await browse()).newPage();
  await page.goto(`${service.url}/sign-in`);
  expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
  await page.getByLabel("E-mail address").fill(who.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/dashboard/);
  await page.goto(`${service.url}/dashboard/security`);
  await page.getByText("a passkey belongs to a name, and this address is a number").waitFor();
  expect(await page.getByRole("link", { name: SITE }).count()).toBe(1);
});

test("after a day the passkey is asked for again before connecting an app that can spend, not before an app that reads", async () => {
  const { page } = await withPasskey();
  service.clock.pass(DAY + HOUR);
  const app = await StrictApp.of(new URL(service.url));
  const open = async (scope: string) => {
    const { pathname, search } = new URL(`${(await app.request({ scope })).address}`);
    await page.goto(`${SITE}${pathname}${search}`);
  };
  await open("read");
  await page.getByRole("button", { name: /allow/i }).waitFor();
  await open("read index");
  await page.waitForURL(/\/sign-in\/confirm/);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("button", { name: /allow/i }).waitFor();
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { audit } from "../../src/domain/audit/audit.ts";
import { createSignInLink, DEMO_EMAIL } from "../../src/domain/users/sign-in-links.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { demoKey } from "../../src/process/demo-key.ts";
import { createLog } from "../../src/process/log.ts";
import { startService } from "../../src/process/service.ts";
import { testDatabase } from "../support/database/database.ts";
import { scratchFolder } from "../support/service/cli.ts";
import { startBrowser } from "../support/website/browser.ts";

const browse = await startBrowser();

const SOON = { timeout: 20_000 };

const URLS = ["hour", "never", "day_14"].map((fate) => `https://example.com/${fate}?sandbox=${fate}`);

/** A whole service of a sandbox, with its checker, whose clock runs as fast as any. */
async function started() {
  const database = await testDatabase();
  const mails = scratchFolder();
  const config = readConfig({ DATABASE_URL: database.url, PORT: "0", LOG_LEVEL: "error", MAIL: `file:${mails}` });
  const service = await startService(
    config,
    createLog(config, () => undefined),
  );
  onTestFinished(async () => {
    await service.stop();
    await database.drop();
  });
  const link = () => {
    const [mail] = readdirSync(mails).filter((name) => name.endsWith(".eml"));
    const text = mail
      ? readFileSync(join(mails, mail), "utf8")
          .replace(/=\r?\n/g, "")
          .replaceAll("=3D", "=")
      : "";
    return /http:\S+\?link=\S+/.exec(text)?.[0];
  };
  return { service, link };
}

/** Opens a page, and clicks what is visible, counting. */
async function visitor() {
  const context = await browse();
  const page = await context.newPage();
  let clicks = 0;
  const click = async (role: "link" | "button", name: string | RegExp) => {
    clicks += 1;
    await page
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click();
    await page.waitForLoadState();
  };
  return { page, click, clicks: () => clicks };
}

/** What the API says about the links of the newest project, and that the books are right. */
async function verdicts({ instance }: Awaited<ReturnType<typeof startService>>): Promise<string[]> {
  const { db } = instance;
  const report = await audit(db);
  expect(report.problems).toEqual([]);
  const { links } = db.t;
  return (await db.q.select({ state: links.state, url: links.url }).from(links)).map(
    ({ state, url }) => `${url.split("=")[1]} ${state}`,
  );
}

async function submitTyped(page: Page, click: Awaited<ReturnType<typeof visitor>>["click"]): Promise<void> {
  await page.getByLabel("URLs, one per line").fill(URLS.join("\n"));
  await click("button", "Submit 3 URLs for 3 credits");
  await page.waitForURL(/\/dashboard\/projects\/prj_/);
}

test("a stranger gets from the front page to a first verdict in at most 9 clicks and a minute, without a terminal", async () => {
  const { service, link } = await started();
  const { page, click, clicks } = await visitor();
  const began = performance.now();
  await page.goto(service.address);
  await click("link", "Create account");
  await page.getByLabel("E-mail address").fill("stranger@example.com");
  await page.getByLabel("Password").fill("slow heavy metal music");
  await click("button", /create/i);
  await expect.poll(link).toBeDefined();
  await page.goto(link()!);
  await click("button", "Create my account");
  await click("link", /buy your first pack/i);
  await click("button", "Buy Basic");
  await click("button", /^Pay \$/);
  await page.waitForURL(/\/checkout\/done/);
  await click("link", "New project");
  await submitTyped(page, click);
  await click("button", "Advance to day 4");
  await expect.poll(() => verdicts(service), SOON).toContain("hour indexed");
  const seconds = (performance.now() - began) / 1000;
  expect(clicks()).toBeLessThanOrEqual(9);
  expect(seconds).toBeLessThan(60);
});

test("the demo account: each day of looking is a click away, the clock is never turned back, and the books are right", async () => {
  const { service } = await started();
  const { db, clock } = service.instance;
  const { page, click, clicks } = await visitor();
  await demoKey(service.instance);
  const secret = await db.tx((tx) => createSignInLink(tx, { kind: "demo", email: DEMO_EMAIL, now: clock.now() }));
  await page.goto(`${service.address}/sign-in/demo?link=${secret}`);
  await click("button", "Sign in as demo");
  await click("link", "New project");
  await submitTyped(page, click);
  await click("button", "Advance to day 4");
  await expect.poll(() => verdicts(service), SOON).toContain("hour indexed");
  const afterDay4 = clock.service();
  await expect.poll(() => page.getByRole("button", { name: "Advance to day 4" }).count()).toBe(0);
  await click("button", "Advance to day 14");
  await expect.poll(() => page.getByRole("button", { name: "Advance to day 14" }).count()).toBe(0);
  // What is not found on day 14 is looked up once more half an hour later.
  await click("button", "Advance by a day");
  await expect.poll(() => verdicts(service), SOON).toContain("never not_indexed");
  expect(clock.service()).toBeGreaterThan(afterDay4);
  expect(clicks()).toBe(6);
  await page.reload();
  expect(await page.getByRole("button", { name: /Advance/ }).count()).toBe(0);
});

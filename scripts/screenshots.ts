import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { openSession } from "../src/domain/users/sessions.ts";
import { DAY } from "../src/platform/clock.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { testChecker } from "../test/support/service/checker.ts";
import { testService } from "../test/support/service/service.ts";
import { projectOf } from "../test/support/website/account-fixtures.ts";
import { signedIn } from "../test/support/website/user.ts";
import { ensureBrowser } from "./browser.mjs";
import { bundle } from "./bundle.mjs";
import { takeWebsitePictures } from "./website-pictures.ts";

/** `npm run screenshots`: the pictures in the README and of the website, taken of the real page of a sandbox in this process. */
const PICTURE = "docs/images/project.png";
const SIZE = { width: 1200, height: 1000 };

const SECTIONS = ["guides", "recipes", "tools", "stories"];
const URLS = Array.from({ length: 120 }, (_, i) => `https://www.example.com/${SECTIONS[i % 4]}/page-${i + 1}`);

bundle();
const service = await testService({ publishUrl: true });
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  // Its sandbox refuses to run as root.
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const { accountId } = await signedIn(service, { email: "ann@example.com" });
  const id = await projectOf(service, accountId, URLS, { name: "Spring articles" });
  await testChecker(service).until(service.clock.service() + 16 * DAY);
  // Its first session has expired meanwhile.
  const now = service.clock.now();
  const sid = await service.db.tx((tx) => openSession(tx, { accountId, browser: "Firefox", ip: "127.0.0.1", now }));
  const context = await browser.newContext({ viewport: SIZE, locale: "en-GB", timezoneId: "UTC" });
  const cookie = { name: "sid", value: sid, url: service.url };
  await context.addCookies([cookie]);
  const page = await context.newPage();
  const address = `${service.url}/dashboard/projects/${id}`;
  await page.goto(address);
  const path = join(packageRoot, PICTURE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await page.screenshot());
  const others = await takeWebsitePictures(browser, address, cookie);
  console.log([PICTURE, ...others].join("\n"));
} finally {
  await browser.close();
  await service.close();
}

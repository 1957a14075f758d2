import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { packageRoot } from "../src/platform/package-root.ts";
import { cookieOf, type PageFixtures } from "../test/support/website/pages/listed-page.ts";
import { takeWebsitePictures } from "./website-pictures.ts";

/** The picture in the README. */
const README = "docs/images/project.png";
const README_SIZE = { width: 1200, height: 1000 };

/** Takes the pictures that are committed, of the pages of an account. @returns the paths of the files */
export async function takePublishedPictures(browser: Browser, fixtures: PageFixtures): Promise<string[]> {
  const cookie = cookieOf(fixtures, "owner")!;
  const project = `${fixtures.service.url}/dashboard/projects/${fixtures.owner.projects.completed}`;
  const context = await browser.newContext({ viewport: README_SIZE, locale: "en-GB", timezoneId: "UTC" });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(project);
  const path = join(packageRoot, README);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await page.screenshot());
  await context.close();
  return [README, ...(await takeWebsitePictures(browser, project, cookie))];
}

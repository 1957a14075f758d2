import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { packageRoot } from "../src/platform/package-root.ts";
import { cookieOf, type PageFixtures, visit } from "../test/support/website/pages/listed-page.ts";
import { PAGES } from "../test/support/website/pages/page-list.ts";
import { SIZES, type Variant } from "../test/support/website/pages/variants.ts";
import { takeIcons } from "./website-icons.ts";
import { takeWebsitePictures, webpOf } from "./website-pictures.ts";

/** The picture in the README. */
const README = "docs/images/project.png";
const README_SIZE = { width: 1200, height: 1000 };

/** The pictures in docs/pages.md, each of the first screen of a listed page. */
const GALLERY_FOLDER = "docs/images/pages";
const GALLERY: readonly (readonly [name: string, ...Variant[]])[] = [
  ["dashboard", at("desk", "light")],
  ["projects", at("desk", "light"), at("phone", "dark")],
  ["project-dripping", at("desk", "dark"), at("phone", "light")],
  ["new-project-counting", at("desk", "light"), at("phone", "light")],
  ["link-indexed", at("desk", "light")],
  ["credits", at("desk", "dark")],
  ["sites", at("desk", "light")],
  ["consent", at("phone", "dark")],
  ["buy", at("desk", "light")],
];

function at(size: Variant["size"], colorScheme: Variant["colorScheme"]): Variant {
  return { size, colorScheme };
}

/** Takes the pictures that are committed, of the pages of the example account. @returns the paths of the files */
export async function takePublishedPictures(browser: Browser, fixtures: PageFixtures): Promise<string[]> {
  const cookie = cookieOf(fixtures, "owner")!;
  const project = `${fixtures.service.url}/dashboard/projects/${fixtures.owner.projects.completed}`;
  const context = await browser.newContext({ viewport: README_SIZE, locale: "en-GB", timezoneId: "UTC" });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(project);
  const readme = write(README, await page.screenshot());
  await context.close();
  const website = await takeWebsitePictures(browser, project, cookie);
  return [readme, ...website, ...(await takeIcons(browser)), ...(await takeGallery(browser, fixtures))];
}

async function takeGallery(browser: Browser, fixtures: PageFixtures): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, ...variants] of GALLERY) {
    const listedPage = PAGES.find((one) => one.name === name)!;
    for (const { size, colorScheme } of variants) {
      const viewport = SIZES[size];
      const context = await browser.newContext({ viewport, colorScheme, locale: "en-GB", timezoneId: "UTC" });
      await context.addCookies([cookieOf(fixtures, listedPage.visitor)!]);
      const page = await context.newPage();
      await visit(fixtures, page, listedPage);
      const picture = await webpOf(page, { x: 0, y: 0, ...viewport, scale: size === "desk" ? 0.75 : 1 });
      paths.push(write(`${GALLERY_FOLDER}/${name}-${size}-${colorScheme}.webp`, picture));
      await context.close();
    }
  }
  return paths;
}

function write(path: string, picture: Buffer): string {
  const file = join(packageRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
  return path;
}

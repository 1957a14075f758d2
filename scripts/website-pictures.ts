import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { packageRoot } from "../src/platform/package-root.ts";
import { HEADLINE, LEAD } from "../src/surfaces/docs/home.ts";
import { ICON_SVG } from "../src/surfaces/website/shell/icon.ts";

/** Where the website takes them from: `src/surfaces/website/shell/assets.ts`. */
const FOLDER = "src/surfaces/website/pictures";

/** What the front page shows of a project's page: its result, from its name on where there is room. */
const CROPS = {
  desk: { width: 1160, scale: 1.5, first: "h1", last: "#found" },
  phone: { width: 390, scale: 2, first: "#result", last: "#found" },
} as const;

/** Space around it, in pixels of CSS. */
const MARGIN = 12;

const SCHEMES = ["light", "dark"] as const;

/** The size that Open Graph asks for. */
const SHARE = { width: 1200, height: 630 };

/**
 * Takes the pictures of the website from the page of a project: for the front page, and for other sites, which show one with
 * a link to us.
 * @param cookie of somebody whose project it is
 * @returns the paths of the files
 */
export async function takeWebsitePictures(
  browser: Browser,
  address: string,
  cookie: { readonly name: string; readonly value: string; readonly url: string },
): Promise<string[]> {
  const paths: string[] = [];
  for (const [size, { width, scale, first, last }] of Object.entries(CROPS)) {
    for (const colorScheme of SCHEMES) {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ ...LOCAL, viewport, colorScheme });
      await context.addCookies([cookie]);
      const page = await context.newPage();
      await page.goto(address);
      const top = (await page.locator(first).boundingBox())!.y - MARGIN;
      const end = (await page.locator(last).first().boundingBox())!;
      const height = Math.round(end.y + end.height + MARGIN - top);
      const picture = await webpOf(page, { x: 0, y: top, width, height, scale });
      paths.push(write(`project-${size}-${colorScheme}.webp`, picture));
      if (size === "desk" && colorScheme === "light") paths.push(write("share.png", await shareOf(browser, picture)));
      await context.close();
    }
  }
  return paths;
}

const LOCAL = { locale: "en-GB", timezoneId: "UTC" };

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture for one of CSS. */
  readonly scale: number;
}

/** Playwright itself writes no WebP. */
export async function webpOf(page: Page, clip: Clip): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const options = { format: "webp", quality: 33, clip, captureBeyondViewport: true } as const;
  const { data } = await session.send("Page.captureScreenshot", options);
  return Buffer.from(data, "base64");
}

/** What Beckon is, next to a project's page. */
async function shareOf(browser: Browser, project: Buffer): Promise<Buffer> {
  const page = await browser.newPage({ ...LOCAL, viewport: SHARE });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; padding: 52px 0 0 64px; width: 1136px; height: 578px; overflow: hidden; background: #fff; color: #1c2024;
      font: 25px/1.4 system-ui, sans-serif }
    header { display: flex; gap: 16px; align-items: center; font-size: 32px; font-weight: 700 }
    svg { width: 48px }
    h1 { font-size: 41px; line-height: 1.2; margin: 24px 0 12px }
    p { margin: 0 0 32px; color: #5b636b }
    img { width: 1072px; border: 1px solid #d9dde1; border-radius: 14px }
  </style><header>${ICON_SVG}Beckon</header><h1>${HEADLINE}</h1><p>${LEAD}</p>
  <img src="data:image/webp;base64,${project.toString("base64")}">`);
  await page.locator("img").evaluate("image => image.decode()");
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

function write(name: string, picture: Buffer): string {
  const path = join(FOLDER, name);
  writeFileSync(join(packageRoot, path), picture);
  return path;
}

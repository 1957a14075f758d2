import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, onTestFinished, vi } from "vitest";
import { findBrowser } from "../../../scripts/browser.mjs";

/** How long a page, or an element of it, may take, in ms. */
const PATIENCE = 10_000;

/** Nothing calls out: no service of the maker is asked, and only names of this machine resolve. */
const QUIET = [
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-pings",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/**
 * One Chromium for the tests of a file, closed after the last of them.
 * @returns makes what one person's browser is in one test, with cookies of its own, and closes it after the test
 */
export async function startBrowser(): Promise<(options?: BrowserContextOptions) => Promise<BrowserContext>> {
  // A machine that is busy with other tests is slow at this one.
  vi.setConfig({ testTimeout: 6 * PATIENCE });
  const browser = await launch();
  afterAll(() => browser.close());
  return async (options = {}) => {
    const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
}

function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error("There is no Chromium: `npm test` installs one, or set CHROMIUM.");
  // Its sandbox refuses to run as root.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, headless: true, timeout: 3 * PATIENCE, args: QUIET });
}

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, onTestFinished, vi } from "vitest";
import { findBrowser } from "../../../scripts/setup/browser.mjs";

/** Maximum time for a page or an element to appear, in ms. */
const TIMEOUT = 10_000;

/** Keeps Chromium from calling its maker's services; only names of this machine resolve. */
const OFFLINE_ARGS = [
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-pings",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/**
 * One Chromium for the tests of a file, closed after the last of them.
 * @param isShared whether contexts stay open until then, because several tests use them
 * @returns opens a browser context with its own cookies, and closes it after the test unless it is shared
 */
export async function startBrowser(
  isShared = false,
): Promise<(options?: BrowserContextOptions) => Promise<BrowserContext>> {
  // A machine that is busy with other tests is slow.
  vi.setConfig({ testTimeout: 6 * TIMEOUT });
  const browser = await launch();
  afterAll(() => browser.close());
  return async (options = {}) => {
    const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options });
    if (!isShared) onTestFinished(() => context.close());
    context.setDefaultTimeout(TIMEOUT);
    return context;
  };
}

function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error("There is no Chromium: `npm test` installs one, or set CHROMIUM.");
  // The sandbox of Chromium does not run as root.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, headless: true, timeout: 3 * TIMEOUT, args: OFFLINE_ARGS });
}

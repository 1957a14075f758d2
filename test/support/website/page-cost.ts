import type { Page, Response } from "playwright-core";
import { expect } from "vitest";

/** Of a page with its style sheet and its scripts, as they are sent; one that shows a secret is sent uncompressed. */
const MOST_BYTES = { compressed: 40_000, uncompressed: 60_000 } as const;

/** Collects what has moved in a document, unless an input of the user came before (web.dev/articles/cls). */
const OBSERVER = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    // Fractions of a pixel, by rounding, have no value.
    if (hadRecentInput || value === 0) continue;
    const what = sources.map(({ node, previousRect: from, currentRect: to }) =>
      [node?.parentElement?.localName, node?.localName, node?.className, node?.textContent?.slice(0, 40),
        "from " + [from.x, from.y, from.width, from.height], "to " + [to.x, to.y, to.width, to.height]].join(" "));
    window.shifts.push({ value, what: what.join() });
  }
}).observe({ type: "layout-shift", buffered: true });`;

/** Waits until what has been loaded is painted, and its shifts are reported. */
const PAINTED =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))";

/** What the last document that was opened has cost so far. */
export interface PageCost {
  /** Of the document and its scripts, as they were sent, without headers. */
  readonly bytes: number;
  readonly isCompressed: boolean;
  /** The share of the screen that has moved by itself. */
  readonly shifts: readonly { readonly value: number; readonly what: string }[];
}

/** Measures the documents that a page opens from now on. @returns reads the cost of the last of them */
export async function measurePage(page: Page): Promise<() => Promise<PageCost>> {
  await page.addInitScript(OBSERVER);
  const session = await page.context().newCDPSession(page);
  // What an earlier page has left in the cache counts, too.
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  let responses: Response[] = [];
  page.on("response", (response) => {
    if (response.request().isNavigationRequest()) responses = [];
    responses.push(response);
  });
  return async () => {
    await page.waitForLoadState();
    await page.evaluate(PAINTED);
    const requests = responses.map((response) => response.request());
    const sizes = await Promise.all(
      requests.filter((request) => request.resourceType() !== "image").map((request) => request.sizes()),
    );
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    const isCompressed = responses[0]?.headers()["content-encoding"] !== undefined;
    return { bytes, isCompressed, shifts: (await page.evaluate("window.shifts")) as PageCost["shifts"] };
  };
}

/** Expects nothing in a page to have moved while it was loaded. */
export function expectUnmoved({ shifts }: PageCost, name: string): void {
  expect(shifts, `${name}: something moves while it loads`).toEqual([]);
}

/** Expects a page to be small, and nothing in it to move while it loads. */
export function expectLightPage(cost: PageCost, name: string): void {
  const { bytes, isCompressed } = cost;
  expectUnmoved(cost, name);
  expect(bytes, `${name}: nothing was measured`).toBeGreaterThan(1_000);
  const most = MOST_BYTES[isCompressed ? "compressed" : "uncompressed"];
  expect(bytes, `${name}: too many bytes`).toBeLessThanOrEqual(most);
}

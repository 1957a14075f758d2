import type { Page, Response } from "playwright-core";
import { expect } from "vitest";

/** Of a page with its style sheet and its scripts, as they are sent. */
const MOST_BYTES = 40_000;

/** Collects what has moved in a document, unless an input of the user came before (web.dev/articles/cls). */
const OBSERVER = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    if (sources.length === 0) window.shifts.push("what is gone again, by " + value);
    for (const { node, previousRect: from, currentRect: to } of sources)
      window.shifts.push([node?.parentElement?.localName, node?.localName, node?.className, node?.textContent?.slice(0, 40),
        "from " + [from.x, from.y, from.width, from.height], "to " + [to.x, to.y, to.width, to.height]].join(" "));
  }
}).observe({ type: "layout-shift", buffered: true });`;

/** Waits until what has been loaded is painted, and its shifts are reported. */
const PAINTED =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))";

/** What the last document that was opened has cost so far. */
export interface PageCost {
  /** Of the document and its scripts, compressed, without headers. */
  readonly bytes: number;
  /** What has moved by itself, in words: its cumulative layout shift is 0 if nothing has. */
  readonly shifts: readonly string[];
}

/** Measures the documents that a page opens from now on. @returns reads the cost of the last of them */
export async function measurePage(page: Page): Promise<() => Promise<PageCost>> {
  await page.addInitScript(OBSERVER);
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
    return { bytes, shifts: (await page.evaluate("window.shifts")) as string[] };
  };
}

/** Expects a page to be small, and nothing in it to move while it loads. */
export function expectLightPage({ bytes, shifts }: PageCost, name: string): void {
  expect(shifts, `${name}: something moves while it loads`).toEqual([]);
  expect(bytes, `${name}: nothing was measured`).toBeGreaterThan(1_000);
  expect(bytes, `${name}: too many bytes`).toBeLessThanOrEqual(MOST_BYTES);
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

export const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;

/** The first two differ most and are checked by axe; the others are only taken as screenshots. */
const VARIANTS = [
  ["light", "desk", "axe.run()"],
  // Only these rules depend on colours and width.
  ["dark", "phone", 'axe.run({ runOnly: ["color-contrast", "target-size"] })'],
  ["dark", "desk", null],
  ["light", "phone", null],
] as const;

/** The folder for screenshots of all pages; without it there are none. */
const FOLDER = process.env.SCREENSHOTS;

/**
 * Expects a page to have no serious or critical violation of axe, to fit the width of a phone and, if it is a document, to
 * show its tables in full. Its context needs `bypassCSP`, or axe could not run in it.
 */
export async function expectGoodLayout(page: Page, name: string): Promise<void> {
  await page.addScriptTag({ content: axe.source });
  for (const [colorScheme, size, run] of FOLDER ? VARIANTS : VARIANTS.slice(0, 2)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(SIZES[size]);
    const violations = run === null ? "" : await page.evaluate(`${run}${SERIOUS}`);
    expect(violations, `${name}, ${colorScheme}, ${size}`).toBe("");
    expect(await page.evaluate("document.documentElement.scrollWidth"), `${name}, ${size}`).toBe(SIZES[size].width);
    expect(await page.evaluate(CUT), `${name}, ${size}: cut off`).toEqual([]);
    if (FOLDER) {
      mkdirSync(FOLDER, { recursive: true });
      await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`), fullPage: true });
    }
  }
}

/** The beginnings of tables and code that a reader of a document would have to scroll sideways. */
export const CUT = `[...document.querySelectorAll(".docs main :is(.wide, pre)")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => textContent.trim().slice(0, 60))`;

/** Reduces the result of axe to its serious violations, in the page. */
const SERIOUS = `.then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")).join("\\n"))`;

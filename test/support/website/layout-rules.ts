import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

export const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;

/** Those that differ most first; the other two show nothing new, and are only photographed. */
const LOOKS = [
  ["light", "desk", "axe.run()"],
  // Nothing else changes with the colours and the width.
  ["dark", "phone", 'axe.run({ runOnly: ["color-contrast", "target-size"] })'],
  ["dark", "desk", null],
  ["light", "phone", null],
] as const;

/** Where screenshots of all pages go, when somebody wants them. */
const FOLDER = process.env.SCREENSHOTS;

/**
 * Holds a page, as it stands there, to what axe calls serious or critical, and to the width of a phone; a document
 * also to showing the whole of its tables.
 * Its context has to be made with `bypassCSP`, or axe could not run in it.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  await page.addScriptTag({ content: axe.source });
  for (const [colorScheme, size, run] of FOLDER ? LOOKS : LOOKS.slice(0, 2)) {
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

/** The beginnings of what a reader of a document would have to scroll sideways for. */
export const CUT = `[...document.querySelectorAll(".docs main :is(.wide, pre)")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => textContent.trim().slice(0, 60))`;

/** What is kept of a run of axe, in the page. */
const SERIOUS = `.then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")).join("\\n"))`;

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { SIZES } from "./pages/variants.ts";

/** The rules of axe for WCAG 2.0, 2.1 and 2.2 on levels A and AA, and its best practices: all of them, whatever their impact. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Everything is checked in both. Colours do not depend on the size of the screen, nor the layout on colours. */
export const VARIANTS = [
  ["light", "desk"],
  ["dark", "phone"],
] as const;
export type LayoutVariant = (typeof VARIANTS)[number];

/**
 * Only violations are reported, and without selectors, which take long to find. Nor are style sheets fetched and parsed once
 * more: the one rule that reads them is experimental, and none of `TAGS` runs those.
 */
const OPTIONS = {
  runOnly: { type: "tag", values: TAGS },
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations"],
  selectors: false,
  preload: { assets: ["media"] },
};

/** The minified form is parsed faster; a page that is used again keeps it compiled. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Expects a page to violate no rule of axe, to fit the width of a phone, and to show every cell, line of code and table in
 * full. Its context needs `bypassCSP`, or axe could not run in it.
 * @param audited those of the variants in which axe runs, which takes longer than everything else
 */
export async function expectGoodLayout(
  page: Page,
  name: string,
  variants: readonly LayoutVariant[] = VARIANTS,
  audited = variants,
): Promise<void> {
  for (const variant of variants) {
    const [colorScheme, size] = variant;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(SIZES[size]);
    if (audited.includes(variant)) await expectAccessible(page, `${name}, ${colorScheme}, ${size}`);
    await expectWidth(page, `${name}, ${size}`, size);
  }
}

/** Expects a page to violate no rule of axe, as it is shown now. Its context needs `bypassCSP`, too. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  expect(await page.evaluate(`axe.run(${JSON.stringify(OPTIONS)})${VIOLATIONS}`), name).toBe("");
}

/** Expects a page to be as wide as the screen, and nothing in it to be cut off at the side. */
export async function expectWidth(page: Page, name: string, size: keyof typeof SIZES): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(SIZES[size].width);
  expect(await page.evaluate(size === "phone" ? CUT : CUT_DOCUMENT), `${name}: cut off`).toEqual([]);
}

/** The beginnings of what a reader would have to scroll sideways, or could not see at all, of the elements that fit a selector. */
function cutOff(selector: string): string {
  return `[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
    .map(({ localName, textContent }) => localName + ": " + textContent.trim().slice(0, 60))`;
}

const CUT = cutOff(
  "main :is(.wide, pre, tbody td, td > div, dd, li, p, h1, h2, h3, button, .card, .panel, .notice, .field)",
);

/** The width of a picture of the whole page, which is as wide as its widest part. */
export const WHOLE_WIDTH = `Math.max(...[document.body, document.documentElement].flatMap(
  ({ scrollWidth, offsetWidth, clientWidth }) => [scrollWidth, offsetWidth, clientWidth]))`;

/** On a desk, tables of the dashboard scroll on their own; tables of documents do not. */
export const CUT_DOCUMENT = cutOff(".docs main :is(.wide, pre)");

/** Writes the violations in the result of axe as text, in the page. */
const VIOLATIONS = `.then(({ violations }) => violations
  .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")).join("\\n"))`;

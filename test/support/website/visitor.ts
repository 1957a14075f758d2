import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { PHONE } from "./pages/variants.ts";

/** How somebody uses pages, each of which has to lead through every journey. */
export const WAYS: readonly (readonly [name: string, way: Way])[] = [
  ["by keyboard alone", { byKeyboard: true, options: {} }],
  ["without a script", { byKeyboard: false, options: { javaScriptEnabled: false } }],
  ["on a phone", { byKeyboard: false, options: PHONE }],
];

export interface Way {
  readonly byKeyboard: boolean;
  readonly options: BrowserContextOptions;
}

/** Uses a page in one of these ways. */
export interface Visitor {
  readonly page: Page;
  type(field: Locator, text: string): Promise<void>;
  press(target: Locator): Promise<void>;
}

export function visitorOf(page: Page, { byKeyboard }: Way): Visitor {
  if (!byKeyboard) return { page, type: (field, text) => field.fill(text), press: (target) => target.click() };
  return {
    page,
    async type(field, text) {
      await focus(page, field);
      await page.keyboard.type(text);
    },
    async press(target) {
      await focus(page, target);
      await page.keyboard.press("Enter");
    },
  };
}

/** More than any page has before its list. */
const MOST_TABS = 150;

/** Moves the focus there by the Tab key. */
async function focus(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let n = 0; n < MOST_TABS; n++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${target}`);
}

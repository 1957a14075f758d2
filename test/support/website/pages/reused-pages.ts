import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { measurePage, type PageCost } from "../page-cost.ts";
import { cookieOf, type PageFixtures, type Visitor } from "./listed-page.ts";
import { SIZES } from "./variants.ts";

export interface ReusedPage {
  readonly page: Page;
  /** What its last document has cost. */
  readonly cost: () => Promise<PageCost>;
}

/**
 * Pages that several tests use one after the other, since opening one and compiling axe takes as long as checking it. Nothing
 * is kept from one use to the next but the session of the visitor.
 * @param browse opens contexts that stay open
 * @returns the page of a visitor, in a browser of that size
 */
export function reusedPages(
  browse: (options: BrowserContextOptions) => Promise<BrowserContext>,
  fixtures: () => PageFixtures,
): (visitor: Visitor, size?: keyof typeof SIZES) => Promise<ReusedPage> {
  const opened = new Map<Visitor, Promise<ReusedPage>>();
  const open = async () => {
    const page = await (await browse({ bypassCSP: true })).newPage();
    page.on("dialog", () => {
      throw new Error("markup of a user was run");
    });
    return { page, cost: await measurePage(page) };
  };
  return async (visitor, size = "desk") => {
    if (!opened.has(visitor)) opened.set(visitor, open());
    const reused = await opened.get(visitor)!;
    const { page } = reused;
    if (page.url() !== "about:blank") {
      await page.evaluate("sessionStorage.clear(); localStorage.clear()");
      // A script that asks for progress while there is no cookie would be given one, in place of the next visitor's. This
      // is a page without one, of the same site: for any other, the browser would begin a process, and compile axe again.
      await page.goto(`${fixtures().service.url}/robots.txt`);
    }
    await page.context().clearCookies();
    const cookie = cookieOf(fixtures(), visitor);
    if (cookie) await page.context().addCookies([cookie]);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(SIZES[size]);
    return reused;
  };
}

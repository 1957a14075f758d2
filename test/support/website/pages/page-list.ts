import { GUARDED } from "./guarded.ts";
import type { ListedPage } from "./listed-page.ts";
import { NEWCOMER, OWNER } from "./owner.ts";
import { PAYER } from "./payer.ts";
import { RESULTS } from "./results.ts";
import { SIGNED_OUT } from "./signed-out.ts";

/**
 * Every page of the website, in states that differ. The tests of pages and `npm run screenshots` open each of them in this
 * order, the last of which moves the clock by a day; test/src/surfaces/website/page-list.test.ts holds that no route is missing.
 */
export const PAGES: readonly ListedPage[] = [...SIGNED_OUT, ...GUARDED, ...OWNER, ...RESULTS, ...NEWCOMER, ...PAYER];

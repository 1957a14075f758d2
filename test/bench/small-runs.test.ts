import { expect, test } from "vitest";
import { benchChecker } from "../../bench/checker.ts";
import { benchCheckerEvents } from "../../bench/checker-events.ts";
import { benchCoverage } from "../../bench/coverage.ts";
import { benchIdentify } from "../../bench/identify.ts";
import { benchGrowth } from "../../bench/reads/growth.ts";
import { benchSubscriptions } from "../../bench/subscriptions.ts";
import { benchWatches } from "../../bench/watches.ts";
import { benchWebhooks } from "../../bench/webhooks.ts";

/** Benches that make their rows by themselves, as small as they are made. */
const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  checker: () => benchChecker(10_000, 500, 1),
  "checker-events": () => benchCheckerEvents(1),
  coverage: () => benchCoverage(1),
  growth: () => benchGrowth(1),
  identify: () => benchIdentify(20, 20, 1),
  subscriptions: () => benchSubscriptions(1),
  watches: () => benchWatches(50),
  webhooks: benchWebhooks,
};

test.each(Object.entries(BENCHES))("the bench %s measures what the product does today", async (_, bench) => {
  const figures = JSON.stringify(await bench());
  expect(figures).toMatch(/\d/);
  // JSON has no number that is none.
  expect(figures).not.toContain("null");
});

import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

/** Hosts with the same counts, of which the last day is today. */
async function covered(accountId: string, hosts: readonly string[]): Promise<void> {
  const { db, clock } = service;
  const asOf = clock.service();
  const today = Math.floor(asOf / DAY);
  const reasons = JSON.stringify({ [HOSTILE]: 3, no_match: 40, noindex: 12 });
  await db.tx(async (tx) => {
    const { coverageHosts, coverageDays } = tx.t;
    for (const host of hosts) {
      const counts = { accountId, host, pages: 200, inGoogle: 145, notInGoogle: 55 };
      await tx.q
        .insert(coverageHosts)
        .values({ ...counts, reasons, found: "{}", asOf })
        .returning();
      const days = [
        { ...counts, day: today - 20, inGoogle: 20 },
        { ...counts, day: today },
      ];
      await tx.q.insert(coverageDays).values(days).returning();
    }
  });
}

test("200: each site with its pages, how many Google has, a line of 30 days in words, and the first reason", async () => {
  const { user, accountId } = await signedIn(service);
  await covered(accountId, ["www.example.com"]);
  const { html, text } = await user.get("/dashboard");
  expect(text).toContain("Your pages in Google");
  expect(text).toContain("www.example.com 200 145 72.5%");
  expect(text).toContain("No search of Google found the page 40");
  expect(html).toMatch(/aria-label="www\.example\.com: 20 pages in Google on 2025-12-16, 145 now"/);
  expect(text).not.toContain("All sites");
  const line = /<path class="line" d="M([\d.]+),([\d.]+)/.exec(html)!;
  expect(Number(line[1])).toBeCloseTo(2 + (116 * 9) / 29, 0);
});

test("200: of more than ten sites, the ones with the most pages, and the way to all", async () => {
  const { user, accountId } = await signedIn(service);
  await covered(
    accountId,
    Array.from({ length: 12 }, (_, n) => `s${10 + n}.example.com`),
  );
  const { text, html } = await user.get("/dashboard");
  expect(text).toContain("s19.example.com");
  expect(text).not.toContain("s20.example.com");
  expect(html).toContain('<a href="/dashboard/sites">All sites</a>');
});

test("a reason that a later version may know is shown as it is, escaped", async () => {
  const { user, accountId } = await signedIn(service);
  await covered(accountId, ["www.example.com"]);
  const { db } = service;
  const reasons = JSON.stringify({ [HOSTILE]: 90 });
  await db.tx((tx) => tx.q.update(tx.t.coverageHosts).set({ reasons }).returning());
  expect((await user.get("/dashboard")).html).toContain(`${ESCAPED} <span class="soft">90`);
});

import { eq } from "drizzle-orm";
import { calendarDay } from "../../../../src/domain/spending/calendar.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import { EMPTY_RUN, type Run, writeRun } from "../../../../src/domain/watches/runs.ts";
import { saveWatch } from "../../../../src/domain/watches/save-watch.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { ownerPrincipal } from "../../database/people.ts";
import type { TestService } from "../../service/service.ts";
import { sitemapOf } from "../../watches/virtual-site.ts";
import type { ExampleTexts } from "./example-texts.ts";

/** A watch that is held, one that has run, and one whose sitemap can be read. @returns their ids */
export async function addWatches(
  { db, clock, site }: TestService,
  { accountId, projectId, texts }: { accountId: string; projectId: string; texts: ExampleTexts },
) {
  const principal = await ownerPrincipal(db, accountId);
  const [service, now] = [clock.service(), clock.now()];
  return db.tx(async (tx) => {
    const made = async (url: string, columns: Partial<WatchRow>, runs: readonly Partial<Run>[]) => {
      const change = { include: ["/blog/*"], exclude: ["/blog/drafts/"], creditsPerMonth: 500 };
      const watch = await saveWatch(tx, { principal, watchId: undefined, url, change, service, now });
      const { watches } = tx.t;
      const set = { firstRun: "done", pages: 412, monthPages: 180, nextRunAt: service + 5 * HOUR, ...columns };
      await tx.q.update(watches).set(set).where(eq(watches.id, watch.id));
      for (const [at, run] of runs.entries())
        await writeRun(
          tx,
          { ...watch, runs: at },
          { ...EMPTY_RUN, result: "done", at: service - (3 - at) * DAY, ...run },
        );
      return watch.id;
    };
    const month = calendarDay(service).month;
    const good = await made("https://www.example.com/sitemap.xml", { month, spentThisMonth: 214, waiting: 12 }, [
      { samePages: 398 },
      { newPages: 14, samePages: 398, submitted: 14, creditsSpent: 14, projectId },
      { result: "failed", reason: "http_503" },
    ]);
    const held = await made(
      "https://shop.example.com/sitemap.xml",
      { status: "held", reason: "many_changed", heldDigest: "digest of what holds it" },
      [{ samePages: 412 }, { result: "held", reason: "many_changed", changedPages: 408, samePages: 4 }],
    );
    const listed = Array.from({ length: 9 }, (_, at) => ({ url: texts.url("blog", at) }));
    const tried = await made(site.serve("/watched.xml", sitemapOf(listed)), { pages: 0 }, []);
    return { good, held, tried };
  });
}

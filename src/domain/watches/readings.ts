import { and, eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { SECOND } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { consumeLimitIn } from "../limits/window.ts";
import type { WatchRow } from "./rows.ts";

/**
 * Counts a reading of a watch for its account and the host of its sitemap, before it is made: whatever an account does with its
 * watches, it reads a host no more often. The window runs on service time, as the watches do.
 * @throws Refusal rate_limited
 */
export async function beginReading(
  db: Engine,
  { accountId, sitemapUrl }: Pick<WatchRow, "accountId" | "sitemapUrl">,
  service: number,
): Promise<void> {
  const subject = `${accountId} ${new URL(sitemapUrl).hostname}`;
  const options = { serializeBy: accountId, isolation: "repeatable read" } as const;
  await db.tx((tx) => consumeLimitIn(tx, subject, "watch_reads", service), options);
}

/** As `beginReading`, for a watch that is due: one that may not be read now is due when it may. @returns whether it may */
export async function beginDueReading(db: Engine, watch: WatchRow, service: number): Promise<boolean> {
  try {
    await beginReading(db, watch, service);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.code !== "rate_limited") throw thrown;
    const nextRunAt = service + Number(thrown.headers["Retry-After"]) * SECOND;
    const { watches } = db.t;
    const isIt = and(eq(watches.no, watch.no), eq(watches.revision, watch.revision));
    await db.tx((tx) => tx.q.update(watches).set({ nextRunAt, leaseUntil: null }).where(isIt).returning());
    return false;
  }
}

import { and, like, lt } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** For how long it is kept that a provider has refused a site, in real ms. */
const KEEP = 30 * DAY;

/** Deletes failures of sites that were not called since: their owners have given them up, or another key. */
export async function purgeSiteFailures(db: Engine, now: number): Promise<void> {
  await db.tx(async ({ q, t: { providers } }) => {
    await q.delete(providers).where(and(like(providers.name, "% %"), lt(providers.failedAt, now - KEEP)));
  });
}

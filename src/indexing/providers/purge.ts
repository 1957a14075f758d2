import { and, like, lt } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** For how long it is kept that a provider has refused a site, in real ms. */
const KEEP = 30 * DAY;

/** Forgets the failures of a connection that was made again. */
export async function forgetFailuresOf({ q, t: { providers } }: Tx, credential: string): Promise<void> {
  await q.delete(providers).where(like(providers.name, `% ${credential}`));
}

/** Deletes failures of sites that were not called since: their owners have given them up, or another key. */
export async function purgeSiteFailures(db: Engine, now: number): Promise<void> {
  await db.tx(async ({ q, t: { providers } }) => {
    await q.delete(providers).where(and(like(providers.name, "% %"), lt(providers.failedAt, now - KEEP)));
  });
}

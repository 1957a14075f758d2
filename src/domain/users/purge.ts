import type { Engine } from "../../../db/engine.ts";
import { purgeLinks } from "./mailed-links.ts";
import { purgeSessions } from "./sessions.ts";

/** Most rows that one transaction deletes; it blocks other writers for a few ms. */
const BATCH = 500;

/** Deletes expired links and sessions; runs every hour. */
export async function purgeSessionsAndLinks(db: Engine, now: number): Promise<void> {
  for (const purge of [purgeLinks, purgeSessions]) {
    while ((await db.tx((tx) => purge(tx, now, BATCH))) === BATCH);
  }
}

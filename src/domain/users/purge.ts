import type { Engine } from "../../../db/engine.ts";
import { purgeAddressUndos } from "../accounts/address-undos.ts";
import { purgeChallenges } from "../factors/challenges.ts";
import { purgeLinks } from "./mailed-links.ts";
import { purgePendingSignIns } from "./pending-sign-ins.ts";
import { purgeSessions } from "./sessions.ts";

/** Most rows that one transaction deletes; it blocks other writers for a few ms. */
const BATCH = 500;

/** Deletes what has expired of this folder, changes of address that could be undone, and challenges of passkeys; runs every hour. */
export async function purgeSessionsAndLinks(db: Engine, now: number): Promise<void> {
  for (const purge of [purgeLinks, purgeSessions, purgePendingSignIns, purgeAddressUndos, purgeChallenges]) {
    while ((await db.tx((tx) => purge(tx, now, BATCH))) === BATCH);
  }
}

import type { Engine } from "../../../db/engine.ts";
import { purgeDepartures } from "../issuer/sign-ins.ts";
import { purgeInvitations } from "../people/invitations.ts";
import { purgeLinks } from "./mailed-links.ts";
import { purgePendingSignIns } from "./pending-sign-ins.ts";
import { purgeSessions } from "./sessions.ts";

/** Most rows that one transaction deletes, because it blocks other writers meanwhile. */
const BATCH = 500;

/** Deletes what has expired in this folder; runs every hour. */
export async function purgeSessionsAndLinks(db: Engine, now: number): Promise<void> {
  for (const purge of [purgeLinks, purgeSessions, purgePendingSignIns, purgeDepartures, purgeInvitations]) {
    while ((await db.tx((tx) => purge(tx, now, BATCH))) === BATCH);
  }
}

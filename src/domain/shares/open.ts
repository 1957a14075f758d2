import { and, eq, exists, gt, isNull, lt, or } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { HOUR } from "../../platform/clock.ts";
import type { Principal } from "../../platform/principal.ts";
import { hashOf } from "../credentials/secrets.ts";
import { sharerOf } from "./makers.ts";
import type { ShareRow } from "./shares.ts";

/** A share that was opened, and as whom its results are read. */
export interface OpenedShare {
  readonly share: ShareRow;
  readonly sharer: Principal;
}

/** In the place of a share that is not there: its maker is looked up too, so that each answer takes as long. */
const NOBODY = { accountId: "", maker: "per_" };

/**
 * The share whose address has a secret; null where there is none, it has ended, its maker may not share any more, or what it shows is
 * gone. Each of them is found out by the same two queries.
 * @param now real time
 */
export async function openShare(db: Engine, secret: string, now: number): Promise<OpenedShare | null> {
  const share = await shareWith(db, hashOf(secret), now);
  const sharer = await sharerOf(db, share ?? NOBODY, now);
  if (!share || !sharer) return null;
  await recordOpened(db, share, now);
  return { share, sharer };
}

async function shareWith(db: Reader, hash: string, now: number): Promise<ShareRow | null> {
  const { shares, projects, coverageHosts } = db.t;
  const isProject = and(eq(projects.id, shares.projectId), eq(projects.accountId, shares.accountId));
  const isHost = and(eq(coverageHosts.host, shares.host), eq(coverageHosts.accountId, shares.accountId));
  const isThere = or(
    exists(db.q.select({ id: projects.id }).from(projects).where(isProject)),
    exists(db.q.select({ host: coverageHosts.host }).from(coverageHosts).where(isHost)),
  );
  const [row] = await db.q
    .select()
    .from(shares)
    .where(and(eq(shares.hash, hash), isNull(shares.endedAt), gt(shares.expiresAt, now), isThere));
  return row ?? null;
}

/** Remembers that a share was opened; once an hour is enough. */
async function recordOpened(db: Engine, { id, lastSeenAt }: ShareRow, now: number): Promise<void> {
  if (lastSeenAt !== null && now - lastSeenAt < HOUR) return;
  const { shares } = db.t;
  const isDue = or(isNull(shares.lastSeenAt), lt(shares.lastSeenAt, now));
  await db.tx(({ q }) =>
    q
      .update(shares)
      .set({ lastSeenAt: now })
      .where(and(eq(shares.id, id), isDue))
      .returning({ id: shares.id }),
  );
}

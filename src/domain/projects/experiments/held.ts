import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Reader } from "../../../../db/engine.ts";
import { matchingLinks } from "../submitted.ts";

/** The URLs of a list that are held out of an experiment of the account now. */
export type HeldAmong = (urls: readonly string[]) => Promise<ReadonlySet<string>>;

/** @returns null where the account holds no pages out, as most do */
export async function heldPages(db: Reader, accountId: string): Promise<HeldAmong | null> {
  const { experiments } = db.t;
  const rows = await db.q
    .select({ no: experiments.controlNo })
    .from(experiments)
    .where(and(eq(experiments.accountId, accountId), isNull(experiments.decidedAt)));
  if (rows.length === 0) return null;
  const isHeld = inArray(
    db.t.urlSets.projectNo,
    rows.map(({ no }) => no),
  );
  return async (urls) => {
    const found = await matchingLinks(db, accountId, urls, { isSet: isHeld });
    return new Set(urls.filter((_, index) => found[index]));
  };
}

import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/** A key, app or agent of an account, however often it was connected. */
export interface KnownSpender {
  /** The id of a key, or of the newest connection of an app or agent: a value for `credential_id`. */
  readonly id: string;
  readonly kind: "key" | "app" | "agent";
  /** As its person named a key, or as an app or agent named itself last. */
  readonly name: string;
  /** Whether it was revoked or disconnected. */
  readonly isGone: boolean;
}

/** Most keys, and most apps and agents, that a filter offers. */
const MOST = 100;

/**
 * The keys, apps and agents of an account: first the ones that may still call, then the ones that are gone and have spent
 * credits, of each the newest.
 */
export async function knownSpenders(db: Reader, accountId: string): Promise<KnownSpender[]> {
  const [keys, connected] = await Promise.all([keysOf(db, accountId), connectedOf(db, accountId)]);
  return [...keys, ...connected].toSorted((a, b) => Number(a.isGone) - Number(b.isGone));
}

async function keysOf({ q, t }: Reader, accountId: string): Promise<KnownSpender[]> {
  const { apiKeys, budgets } = t;
  const rows = await q
    .select({ id: apiKeys.id, name: apiKeys.name, ending: apiKeys.ending, revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .leftJoin(budgets, and(eq(budgets.accountId, accountId), eq(budgets.holder, apiKeys.id)))
    .where(and(eq(apiKeys.accountId, accountId), or(isNull(apiKeys.revokedAt), gt(budgets.spent, 0))))
    .orderBy(sql`CASE WHEN ${apiKeys.revokedAt} IS NULL THEN 0 ELSE 1 END`, desc(apiKeys.createdAt))
    .limit(MOST);
  return rows.map(({ id, name, ending, revokedAt }) => {
    return { id, kind: "key", name: `${name} ****${ending}`, isGone: revokedAt !== null };
  });
}

/** Apps and agents, each by its newest connection; one that is open goes first. */
async function connectedOf({ q, t }: Reader, accountId: string): Promise<KnownSpender[]> {
  const { grants, budgets } = t;
  const isGone = sql<number>`CASE WHEN ${grants.revokedAt} IS NULL THEN 0 ELSE 1 END`;
  const ranked = q
    .select({
      ...{ id: grants.id, kind: grants.kind, name: grants.name, holder: grants.holder, createdAt: grants.createdAt },
      isGone: isGone.mapWith(Number).as("is_gone"),
      rank: sql<number>`row_number() OVER (PARTITION BY ${grants.holder} ORDER BY ${isGone}, ${grants.createdAt} DESC)`
        .mapWith(Number)
        .as("rank"),
    })
    .from(grants)
    .where(eq(grants.accountId, accountId))
    .as("ranked");
  const rows = await q
    .select({ id: ranked.id, kind: ranked.kind, name: ranked.name, isGone: ranked.isGone })
    .from(ranked)
    .leftJoin(budgets, and(eq(budgets.accountId, accountId), eq(budgets.holder, ranked.holder)))
    .where(and(eq(ranked.rank, 1), or(eq(ranked.isGone, 0), gt(budgets.spent, 0))))
    .orderBy(ranked.isGone, desc(ranked.createdAt))
    .limit(MOST);
  return rows.map(({ kind, isGone, ...row }) => {
    return { ...row, kind: kind === "agent" ? "agent" : "app", isGone: isGone !== 0 };
  });
}

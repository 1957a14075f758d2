import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Principal } from "../../platform/principal.ts";

/**
 * The credentials that spend the same budget as the given one, which is among them. For an app or agent these are all its
 * connections, whenever they were made; for a key, the key itself.
 */
export async function credentialsOf(db: Reader, accountId: string, credential: string): Promise<string[]> {
  const { grants } = db.t;
  const isIts = and(eq(grants.accountId, accountId), eq(grants.id, credential));
  const [grant] = await db.q.select({ holder: grants.holder }).from(grants).where(isIts);
  if (!grant) return [credential];
  const isSame = and(eq(grants.accountId, accountId), eq(grants.holder, grant.holder));
  return (await db.q.select({ id: grants.id }).from(grants).where(isSame)).map(({ id }) => id);
}

/** The credentials that a filter lets through. @param credential the filter; absent: any. @returns null for any */
export async function credentialsLike(
  db: Reader,
  accountId: string,
  credential: string | undefined,
): Promise<string[] | null> {
  return credential === undefined ? null : credentialsOf(db, accountId, credential);
}

/** When a credential ends, as its person has set it; null: no end is set. Real time. */
export async function endOfCredential(
  db: Reader,
  accountId: string,
  { id, type, holder }: Principal["credential"],
): Promise<number | null> {
  const { apiKeys, budgets } = db.t;
  const rows =
    type === "api_key"
      ? await db.q.select({ at: apiKeys.expiresAt }).from(apiKeys).where(eq(apiKeys.id, id))
      : await db.q
          .select({ at: budgets.expiresAt })
          .from(budgets)
          .where(and(eq(budgets.accountId, accountId), eq(budgets.holder, holder)));
  return rows[0]?.at ?? null;
}

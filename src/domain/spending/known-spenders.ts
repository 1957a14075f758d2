import { and, desc, eq, gt } from "drizzle-orm";
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

/**
 * The keys, apps and agents of an account: first the ones that may still call, then the ones that are gone and have spent
 * credits.
 */
export async function knownSpenders(db: Reader, accountId: string): Promise<KnownSpender[]> {
  const { apiKeys, budgets, grants } = db.t;
  const [keys, connections, spent] = await Promise.all([
    db.q.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)).orderBy(desc(apiKeys.createdAt)),
    db.q.select().from(grants).where(eq(grants.accountId, accountId)).orderBy(desc(grants.createdAt)),
    db.q
      .select({ holder: budgets.holder })
      .from(budgets)
      .where(and(eq(budgets.accountId, accountId), gt(budgets.spent, 0))),
  ]);
  const byHolder = new Map<string, KnownSpender>();
  for (const { id, name, ending, revokedAt } of keys)
    byHolder.set(id, { id, kind: "key", name: `${name} ****${ending}`, isGone: revokedAt !== null });
  for (const { id, kind, name, holder, revokedAt } of connections) {
    const newest = byHolder.get(holder) ?? { id, kind: kind === "agent" ? "agent" : "app", name, isGone: true };
    byHolder.set(holder, { ...newest, isGone: newest.isGone && revokedAt !== null });
  }
  const holders = new Set(spent.map(({ holder }) => holder));
  const known = [...byHolder].filter(([holder, { isGone }]) => !isGone || holders.has(holder)).map(([, one]) => one);
  return known.toSorted((a, b) => Number(a.isGone) - Number(b.isGone));
}

import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { creatorOf, PERSON, type Principal, SCOPES } from "../../platform/principal.ts";
import { scopesIn } from "../credentials/scopes.ts";
import type { WatchRow } from "./rows.ts";

/** Whether a caller may change a watch: its maker, another connection of the same app or agent, and the person. */
export function mayChange(principal: Principal, { maker, holder }: WatchRow): boolean {
  const creator = creatorOf(principal);
  return creator === PERSON || creator === maker || (holder !== "" && principal.credential.holder === holder);
}

/**
 * The principal as which the runs of a watch spend; null where its credential has ended, or may not submit any more.
 * @param now real time
 */
export async function principalOfMaker(
  db: Reader,
  { accountId, maker }: Pick<WatchRow, "accountId" | "maker">,
  now: number,
): Promise<Principal | null> {
  if (maker === PERSON)
    return { accountId, credential: { id: PERSON, type: "session", name: "", scopes: SCOPES, holder: "" } };
  const found = (await keyOf(db, accountId, maker, now)) ?? (await grantOf(db, accountId, maker, now));
  if (!found) return null;
  const scopes = scopesIn(found.scopes);
  if (!scopes.includes("index")) return null;
  const { name, holder } = found;
  return { accountId, credential: { id: maker, type: found.kind as "oauth", name, scopes, holder } };
}

async function keyOf(db: Reader, accountId: string, id: string, now: number) {
  const { apiKeys } = db.t;
  const isAlive = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  const isIt = and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isAlive);
  const [row] = await db.q.select({ name: apiKeys.name, scopes: apiKeys.scopes }).from(apiKeys).where(isIt);
  return row ? { ...row, kind: "api_key", holder: id } : null;
}

async function grantOf(db: Reader, accountId: string, id: string, now: number) {
  const { grants, budgets } = db.t;
  const isAlive = and(
    or(isNull(grants.endsAt), gt(grants.endsAt, now)),
    or(isNull(budgets.expiresAt), gt(budgets.expiresAt, now)),
  );
  const [row] = await db.q
    .select({ name: grants.name, scopes: grants.scopes, kind: grants.kind, holder: grants.holder })
    .from(grants)
    .leftJoin(budgets, and(eq(budgets.accountId, grants.accountId), eq(budgets.holder, grants.holder)))
    .where(and(eq(grants.accountId, accountId), eq(grants.id, id), isNull(grants.revokedAt), isAlive));
  return row ?? null;
}

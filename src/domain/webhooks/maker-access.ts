import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { PERSON } from "../../platform/principal.ts";
import type { DeliveryTarget } from "./target.ts";

/** Whether the credential that made a target is still valid; what the person made always is. */
export async function hasAccess(db: Reader, { maker }: Pick<DeliveryTarget, "maker">, now: number): Promise<boolean> {
  if (maker === PERSON) return true;
  const { apiKeys, grants } = db.t;
  const isKey = and(
    eq(apiKeys.id, maker),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );
  const keys = await db.q.select({ id: apiKeys.id }).from(apiKeys).where(isKey);
  if (keys.length > 0) return true;
  const isGrant = and(
    eq(grants.id, maker),
    isNull(grants.revokedAt),
    or(isNull(grants.endsAt), gt(grants.endsAt, now)),
  );
  return (await db.q.select({ id: grants.id }).from(grants).where(isGrant)).length > 0;
}

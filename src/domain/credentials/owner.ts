import { and, asc, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/** The owner of an account who joined first: for whom an operator makes credentials. @throws Error for a tombstone, which has none */
export async function oldestOwner({ q, t: { members } }: Reader, accountId: string): Promise<string> {
  const isOwner = and(eq(members.accountId, accountId), eq(members.role, "owner"));
  const owners = q.select({ id: members.personId }).from(members).where(isOwner);
  const [owner] = await owners.orderBy(asc(members.joinedAt), asc(members.personId)).limit(1);
  if (!owner) throw new Error(`account ${accountId} has no owner`);
  return owner.id;
}

import { eq, isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/** Every account that is not deleted has an owner, and every person is a member of an account. */
export async function auditMembers({ q, t }: Reader, problems: string[]): Promise<void> {
  const { accounts, members, people } = t;
  const all = await q.select().from(members);
  const owned = new Set(all.filter(({ role }) => role === "owner").map(({ accountId }) => accountId));
  for (const { id } of await q.select({ id: accounts.id }).from(accounts).where(isNull(accounts.deletedAt)))
    if (!owned.has(id)) problems.push(`account ${id} has no owner`);
  const alone = await q
    .select({ id: people.id })
    .from(people)
    .leftJoin(members, eq(members.personId, people.id))
    .where(isNull(members.personId));
  for (const { id } of alone) problems.push(`person ${id} is a member of no account`);
}

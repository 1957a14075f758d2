import { isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { ProjectRow } from "../projects/read.ts";

/** Every share shows a project of its account or a host, and not both; no share is open in an account that is being deleted. */
export async function auditShares(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { shares, accountDeletions } = db.t;
  const owners = new Map(projects.map(({ id, accountId }) => [id, accountId]));
  for (const { id, accountId, projectId, host, endedAt } of await db.q.select().from(shares)) {
    if ((projectId === null) === (host === null)) problems.push(`share ${id} shows neither a project nor a host`);
    else if (projectId !== null && owners.get(projectId) !== accountId && endedAt === null)
      problems.push(`share ${id} shows a project that its account does not have`);
  }
  const deleted = new Map((await db.q.select().from(accountDeletions)).map((row) => [row.accountId, row.requestedAt]));
  const open = await db.q
    .select({ id: shares.id, accountId: shares.accountId })
    .from(shares)
    .where(isNull(shares.endedAt));
  for (const { id, accountId } of open)
    if (deleted.has(accountId)) problems.push(`share ${id} is open, and its account is being deleted`);
}

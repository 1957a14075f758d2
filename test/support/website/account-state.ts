import { count, eq, sum } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { balanceOf, entriesOf } from "../../../src/domain/ledger/ledger.ts";
import { projectsOf } from "../../../src/domain/projects/list-projects.ts";

/** What a refused call must not change: balance, ledger, projects, idempotency keys and counted submissions of an account. */
export async function stateOf(db: Engine, accountId: string) {
  const { idempotency, usage } = db.t;
  const keys = await db.q.select({ n: count() }).from(idempotency).where(eq(idempotency.accountId, accountId));
  const days = await db.q
    .select({ n: sum(usage.submissions) })
    .from(usage)
    .where(eq(usage.accountId, accountId));
  return {
    balance: await balanceOf(db, accountId),
    ledger: (await entriesOf(db, accountId, { limit: 200, offset: 0 })).rows,
    projects: (await projectsOf(db, accountId, { kind: "all", status: "any", limit: 200, offset: 0 })).rows,
    keys: keys[0]!.n,
    submissions: Number(days[0]!.n ?? 0),
  };
}

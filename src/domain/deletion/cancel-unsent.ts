import { and, asc, eq, gt } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { cancelLinks } from "../projects/cancel.ts";

/**
 * Cancels every unsent link of an account and returns its credits, one project in each transaction. After a crash, calling it
 * again does what is left. A link that a worker is about to send is marked, and the worker drops it.
 * @returns the credits returned
 */
export async function cancelUnsent(db: Engine, accountId: string, times: Times): Promise<number> {
  const { projects } = db.t;
  let returned = 0;
  for (let after = 0; ; ) {
    const hasUnsent = and(eq(projects.accountId, accountId), gt(projects.waiting, 0), gt(projects.no, after));
    const [project] = await db.q.select().from(projects).where(hasUnsent).orderBy(asc(projects.no)).limit(1);
    if (!project) return returned;
    const cancelled = await db.tx((tx) => cancelLinks(tx, project, null, times), { serializeBy: accountId });
    returned += cancelled.returned;
    after = project.no;
  }
}

import { and, eq, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/** The credits of links that were not sent yet, which cancelling them would return. */
export async function creditsWaiting(db: Reader, accountId: string): Promise<number> {
  const { projects } = db.t;
  const [row] = await db.q
    .select({ credits: sql<number>`coalesce(sum(${projects.price} * ${projects.waiting}), 0)`.mapWith(Number) })
    .from(projects)
    .where(and(eq(projects.accountId, accountId), eq(projects.status, "active")));
  return row!.credits;
}

import { desc, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/** The credits that a project has spent, and how many of them were returned. */
export interface ProjectSpending {
  readonly id: string;
  readonly name: string;
  readonly spent: number;
  readonly returned: number;
}

/** The projects of an account that have spent most, in descending order; equal ones newest first. */
export function biggestSpenders(db: Reader, accountId: string, limit: number): Promise<ProjectSpending[]> {
  const { projects } = db.t;
  return db.q
    .select({
      id: projects.id,
      name: projects.name,
      spent: projects.creditsSpent,
      returned: projects.creditsReturned,
    })
    .from(projects)
    .where(eq(projects.accountId, accountId))
    .orderBy(desc(projects.creditsSpent), desc(projects.no))
    .limit(limit);
}

/** The names of projects by their ids. */
export async function projectNames(db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { projects } = db.t;
  const rows = await db.q
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(inArray(projects.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";
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

/** How many URLs of an account are paid for and not sent yet, and what was spent on them. */
export async function unsentOf(db: Reader, accountId: string): Promise<{ urls: number; credits: number }> {
  const { projects } = db.t;
  const isOpen = and(eq(projects.accountId, accountId), eq(projects.kind, "index"), gt(projects.waiting, 0));
  const [sums] = await db.q
    .select({
      urls: sql`coalesce(sum(${projects.waiting}), 0)`.mapWith(Number),
      credits: sql`coalesce(sum(${projects.waiting} * ${projects.price}), 0)`.mapWith(Number),
    })
    .from(projects)
    .where(isOpen);
  return sums!;
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

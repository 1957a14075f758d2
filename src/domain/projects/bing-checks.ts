import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { hasPosition, unpackPositions } from "../../platform/link-set.ts";
import type { LinkRecord, ProjectRow } from "./read.ts";
import type { CheckResult } from "./states.ts";

export type BingCheck = Pick<Schema["bingChecks"]["$inferSelect"], "at" | "result" | "reason">;

/** The last answer of Bing about a link; null where it was not asked. */
export async function bingCheckOf(db: Reader, { project, position }: LinkRecord): Promise<BingCheck | null> {
  if (!project.bing) return null;
  const query = db.prepared("bing_checks_at", ({ q, t: { bingChecks } }) => {
    const { placeholder } = sql;
    const isIn = and(lte(bingChecks.first, placeholder("position")), gte(bingChecks.last, placeholder("position")));
    return q
      .select()
      .from(bingChecks)
      .where(and(eq(bingChecks.projectNo, placeholder("no")), isIn))
      .orderBy(asc(bingChecks.id));
  });
  const rows = await query.execute({ no: project.no, position });
  return rows.findLast((row) => hasPosition(row, position)) ?? null;
}

/** The last answer of Bing about each link of a project that it was asked for, by position. */
export async function bingChecksOf(db: Reader, { no, bing }: ProjectRow): Promise<ReadonlyMap<number, BingCheck>> {
  const last = new Map<number, BingCheck>();
  if (!bing) return last;
  const { bingChecks } = db.t;
  const rows = await db.q.select().from(bingChecks).where(eq(bingChecks.projectNo, no)).orderBy(asc(bingChecks.id));
  for (const row of rows) for (const position of unpackPositions(row)) last.set(position, row);
  return last;
}

/** How many links of a project Bing has by its last answers; null where it was not asked. */
export async function bingCountsOf(db: Reader, project: ProjectRow): Promise<Record<CheckResult, number> | null> {
  const checks = await bingChecksOf(db, project);
  if (checks.size === 0) return null;
  const counts = { indexed: 0, not_indexed: 0, unknown: 0 };
  for (const { result } of checks.values()) counts[result] += 1;
  return counts;
}

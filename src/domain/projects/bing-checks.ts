import { asc, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { BingCheck } from "./evidence.ts";
import type { ProjectRow } from "./read.ts";
import type { CheckResult } from "./states.ts";

/** The last answer of Bing about each link of a project that it was asked for, by position. */
async function bingChecksOf(db: Reader, { no, bing }: ProjectRow): Promise<ReadonlyMap<number, BingCheck>> {
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

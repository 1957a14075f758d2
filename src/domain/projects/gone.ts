import { asc, inArray } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { ProjectRow } from "./read.ts";

/**
 * How many links of each project are gone: indexed, and not found by their last check. Projects without such links are absent.
 * @returns by the number of the project
 */
export async function goneIn(db: Reader, projects: readonly ProjectRow[]): Promise<ReadonlyMap<number, number>> {
  const numbers = projects.filter(({ indexed }) => indexed > 0).map(({ no }) => no);
  const gone = new Map<number, number>();
  if (numbers.length === 0) return gone;
  const lost = await lostIn(db, numbers);
  for (const [no, positions] of lost) {
    const count = await countIndexed(
      db,
      [...positions].map((position) => linkKey(no, position)),
    );
    if (count > 0) gone.set(no, count);
  }
  return gone;
}

/** The links that the last check did not find and an earlier one did, by project. */
async function lostIn(db: Reader, numbers: readonly number[]): Promise<Map<number, Set<number>>> {
  const { observations } = db.t;
  const { projectNo, result, first, members } = observations;
  const rows = await db.q
    .select({ projectNo, result, first, members })
    .from(observations)
    .where(inArray(projectNo, [...numbers]))
    .orderBy(asc(observations.id));
  const found = new Map<number, Set<number>>();
  const lost = new Map<number, Set<number>>();
  const setOf = (sets: Map<number, Set<number>>, no: number) => {
    const set = sets.get(no) ?? new Set();
    sets.set(no, set);
    return set;
  };
  for (const row of rows) {
    const [there, away] = [setOf(found, row.projectNo), setOf(lost, row.projectNo)];
    for (const position of unpackPositions(row)) {
      if (row.result === "indexed") there.add(position);
      if (row.result === "not_indexed" && there.has(position)) away.add(position);
      else away.delete(position);
    }
  }
  return lost;
}

async function countIndexed(db: Reader, keys: readonly number[]): Promise<number> {
  if (keys.length === 0) return 0;
  const { links } = db.t;
  const rows = await db.q.select({ state: links.state }).from(links).where(db.among(links.id, keys));
  return rows.filter(({ state }) => state === "indexed").length;
}

import { asc } from "drizzle-orm";
import type { Reader, WorkLink } from "../../../db/engine.ts";
import type { StepRow } from "../../domain/projects/read.ts";
import { linkKey } from "../../platform/ids.ts";
import { hasPosition, unpackPositions } from "../../platform/link-set.ts";

/** One link of a step, with its position in the project. */
export interface Member {
  readonly position: number;
  readonly link: WorkLink;
}

/** The links of a step as they are now, by ascending position. */
export async function membersOf(db: Reader, step: StepRow): Promise<Member[]> {
  const firstKey = linkKey(step.projectNo, 0);
  const positions = unpackPositions(step);
  const last = positions.at(-1)!;
  // A dense set is read as one range. The range of a sparse set would mostly hold links of other steps.
  const isDense = last - step.first < 4 * positions.length;
  const rows = isDense
    ? await db.linksBetween(firstKey + step.first, firstKey + last)
    : await linksAt(
        db,
        positions.map((position) => firstKey + position),
      );
  const members: Member[] = [];
  for (const link of rows) {
    const position = link.id - firstKey;
    if (hasPosition(step, position)) members.push({ position, link });
  }
  return members;
}

async function linksAt(db: Reader, ids: readonly number[]): Promise<WorkLink[]> {
  const { links } = db.t;
  const { id, url, state, sentAt, cancelledAt } = links;
  return db.q.select({ id, url, state, sentAt, cancelledAt }).from(links).where(db.among(id, ids)).orderBy(asc(id));
}

import { asc } from "drizzle-orm";
import type { Reader, WorkLink } from "../../../db/engine.ts";
import type { StepRow } from "../../domain/projects/read.ts";
import { linkKey } from "../../platform/ids.ts";
import { hasPlace, unpackPlaces } from "../../platform/link-set.ts";

/** One link of a step, with its place in the project. */
export interface Member {
  readonly place: number;
  readonly link: WorkLink;
}

/** The links of a step as they are now, ascending. */
export async function membersOf(db: Reader, step: StepRow): Promise<Member[]> {
  const zero = linkKey(step.projectNo, 0);
  const places = unpackPlaces(step);
  const last = places.at(-1)!;
  // A dense set is read as one range; in a sparse one the range would be mostly others' links.
  const isDense = last - step.first < 4 * places.length;
  const rows = isDense
    ? await db.linksBetween(zero + step.first, zero + last)
    : await linksAt(
        db,
        places.map((place) => zero + place),
      );
  const members: Member[] = [];
  for (const link of rows) {
    const place = link.id - zero;
    if (hasPlace(step, place)) members.push({ place, link });
  }
  return members;
}

async function linksAt(db: Reader, ids: readonly number[]): Promise<WorkLink[]> {
  const { links } = db.t;
  const { id, url, state, sentAt, cancelledAt } = links;
  return db.q.select({ id, url, state, sentAt, cancelledAt }).from(links).where(db.among(id, ids)).orderBy(asc(id));
}

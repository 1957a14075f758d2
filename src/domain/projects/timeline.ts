import { asc, between, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import type { LinkRow, Observation, ProjectRow } from "./read.ts";

/** What the database has of each link of a project, by position. Times are service time, 0 for never. */
export interface Timeline {
  /** Links that are alike share one object, because thousands are sent and decided together. */
  readonly links: readonly TimedLink[];
  /** The last check; nothing for a link that was not looked up. */
  readonly last: readonly (Pick<Observation, "result" | "reason"> | undefined)[];
  readonly sent: Float64Array;
  /** The first check that found it. */
  readonly found: Float64Array;
  /** The first check that did not find it any more. */
  readonly lost: Float64Array;
  readonly decided: Float64Array;
}

export type TimedLink = Pick<LinkRow, "state" | "error" | "sentAt" | "cancelledAt">;

/** Takes two queries. */
export async function timelineOf(db: Reader, project: ProjectRow): Promise<Timeline> {
  const links = await linksIn(db, project);
  const array = () => new Float64Array(project.total);
  const timeline = { links, sent: array(), found: array(), lost: array(), decided: array() };
  const last: Pick<Observation, "result" | "reason">[] = [];
  links.forEach(({ sentAt }, position) => {
    timeline.sent[position] = sentAt ?? 0;
  });
  const { observations } = db.t;
  const { at, result, reason, stage, first, members } = observations;
  const rows = await db.q
    .select({ at, result, reason, stage, first, members })
    .from(observations)
    .where(eq(observations.projectNo, project.no))
    .orderBy(asc(observations.id));
  for (const row of rows) {
    const { at, result } = row;
    // A page that was not found before it was sent says nothing about the result of sending.
    if (row.stage === "before_sending" && result !== "indexed") continue;
    for (const position of unpackPositions(row)) {
      last[position] = row;
      timeline.decided[position] = at;
      if (result === "indexed") {
        timeline.found[position] ||= at;
        timeline.lost[position] = 0;
      } else if (result === "not_indexed" && timeline.found[position]) timeline.lost[position] ||= at;
    }
  }
  return { ...timeline, last };
}

async function linksIn(db: Reader, { no, total }: ProjectRow): Promise<TimedLink[]> {
  const { id, state, error, sentAt, cancelledAt } = db.t.links;
  const groups = await db.q
    .select({ state, error, sentAt, cancelledAt, ids: db.gathered(id) })
    .from(db.t.links)
    .where(between(id, linkKey(no, 0), linkKey(no, total - 1)))
    .groupBy(state, error, sentAt, cancelledAt);
  const links = new Array<TimedLink>(total);
  for (const { ids, ...link } of groups) for (const key of ids) links[positionOf(key)] = link;
  return links;
}

import { and, asc, desc, eq, gte, lte } from "drizzle-orm";
import type { LinkRow, Reader, StepRow } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { hasPosition } from "../../platform/link-set.ts";
import { LANES, type Lane, type LinkState } from "./states.ts";

export type ProjectRow = Schema["projects"]["$inferSelect"];
export type Delivery = Schema["deliveries"]["$inferSelect"];
export type Observation = Schema["observations"]["$inferSelect"];

export type { LinkRow, StepRow };

/** A link with its open step, deliveries and observations. */
export interface LinkRecord {
  readonly project: ProjectRow;
  readonly position: number;
  readonly link: LinkRow;
  /** Its open step in the Google lane; null when it is decided. */
  readonly step: StepRow | null;
  /** The latest delivery per lane. */
  readonly deliveries: Readonly<Record<Lane, Delivery | null>>;
  /** Oldest first. */
  readonly observations: readonly Observation[];
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The project, or null when it is not this account's. */
export async function projectOf(db: Reader, accountId: string, projectId: string): Promise<ProjectRow | null> {
  const { projects } = db.t;
  const [row] = await db.q
    .select()
    .from(projects)
    .where(and(eq(projects.id, projectId), eq(projects.accountId, accountId)));
  return row ?? null;
}

/** A page of projects, newest first, and whether there is more. */
export async function projectsOf(
  db: Reader,
  accountId: string,
  filter: Page & { kind: "all" | "index" | "check"; status: "any" | "active" | "completed" },
) {
  const { projects } = db.t;
  const rows = await db.q
    .select()
    .from(projects)
    .where(
      and(
        eq(projects.accountId, accountId),
        filter.kind === "all" ? undefined : eq(projects.kind, filter.kind),
        filter.status === "any" ? undefined : eq(projects.status, filter.status),
      ),
    )
    .orderBy(desc(projects.no))
    .limit(filter.limit + 1)
    .offset(filter.offset);
  return { rows: rows.slice(0, filter.limit), hasMore: rows.length > filter.limit };
}

/** A page of a project's links in submission order, and whether there is more. */
export async function linksOf(db: Reader, project: ProjectRow, filter: Page & { state: LinkState | null }) {
  const { links } = db.t;
  const rows = await db.q
    .select()
    .from(links)
    .where(
      and(
        gte(links.id, linkKey(project.no, 0)),
        lte(links.id, linkKey(project.no, project.total - 1)),
        filter.state === null ? undefined : eq(links.state, filter.state),
      ),
    )
    .orderBy(asc(links.id))
    .limit(filter.limit + 1)
    .offset(filter.offset);
  return { records: await recordsOf(db, project, rows.slice(0, filter.limit)), hasMore: rows.length > filter.limit };
}

export async function linkAt(db: Reader, project: ProjectRow, position: number): Promise<LinkRecord | null> {
  const rows = await db.q
    .select()
    .from(db.t.links)
    .where(eq(db.t.links.id, linkKey(project.no, position)));
  const [record] = await recordsOf(db, project, rows);
  return record ?? null;
}

/** Joins links, in ascending order, with what is stored per set of links. */
async function recordsOf(db: Reader, project: ProjectRow, rows: LinkRow[]): Promise<LinkRecord[]> {
  if (rows.length === 0) return [];
  const from = positionOf(rows[0]!.id);
  const to = positionOf(rows.at(-1)!.id);
  const { steps, deliveries, observations } = db.t;
  const open = await db.q
    .select()
    .from(steps)
    .where(and(eq(steps.projectNo, project.no), eq(steps.lane, "google"), lte(steps.first, to)));
  const sent = await db.q
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.projectNo, project.no), lte(deliveries.first, to), gte(deliveries.last, from)))
    .orderBy(asc(deliveries.id));
  const seen = await db.q
    .select()
    .from(observations)
    .where(and(eq(observations.projectNo, project.no), lte(observations.first, to), gte(observations.last, from)))
    .orderBy(asc(observations.id));
  return rows.map((link) => {
    const position = positionOf(link.id);
    const mine = sent.filter((delivery) => hasPosition(delivery, position));
    return {
      project,
      position,
      link,
      step: open.find((step) => hasPosition(step, position)) ?? null,
      deliveries: Object.fromEntries(
        LANES.map((lane) => [lane, mine.findLast((delivery) => delivery.lane === lane) ?? null]),
      ) as Record<Lane, Delivery | null>,
      observations: seen.filter((observation) => hasPosition(observation, position)),
    };
  });
}

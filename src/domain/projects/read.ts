import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import type { LinkRow, Reader, StepRow } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { hasPosition } from "../../platform/link-set.ts";
import type { Lane } from "./states.ts";

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
  const query = db.prepared("project", ({ q, t: { projects } }) => {
    const { placeholder } = sql;
    const isIts = and(eq(projects.id, placeholder("projectId")), eq(projects.accountId, placeholder("accountId")));
    return q.select().from(projects).where(isIts);
  });
  const [row] = await query.execute({ accountId, projectId });
  return row ?? null;
}

export async function linkAt(db: Reader, project: ProjectRow, position: number): Promise<LinkRecord | null> {
  const query = db.prepared("link", ({ q, t: { links } }) =>
    q
      .select()
      .from(links)
      .where(eq(links.id, sql.placeholder("id"))),
  );
  const rows = await query.execute({ id: linkKey(project.no, position) });
  const [record] = await recordsOf(db, project, rows);
  return record ?? null;
}

/** Joins links of a project, in any order, with what is stored per set of links. */
export async function recordsOf(db: Reader, project: ProjectRow, rows: readonly LinkRow[]): Promise<LinkRecord[]> {
  if (rows.length === 0) return [];
  const positions = rows.map(({ id }) => positionOf(id));
  const from = Math.min(...positions);
  const to = Math.max(...positions);
  const range = { no: project.no, from, to };
  const steps = await openSteps(db).execute(range);
  const sent = await deliveriesIn(db).execute(range);
  const seen = await observationsIn(db).execute(range);
  return joined(project, rows, { steps, sent, seen });
}

interface Evidence {
  /** Open steps of the Google lane. */
  readonly steps: readonly StepRow[];
  readonly sent: readonly Delivery[];
  readonly seen: readonly Observation[];
}

function joined(project: ProjectRow, rows: readonly LinkRow[], { steps, sent, seen }: Evidence): LinkRecord[] {
  return rows.map((link) => {
    const position = positionOf(link.id);
    const latest = (lane: Lane) =>
      sent.findLast((delivery) => delivery.lane === lane && hasPosition(delivery, position)) ?? null;
    return {
      project,
      position,
      link,
      step: steps.find((step) => hasPosition(step, position)) ?? null,
      deliveries: { google: latest("google"), bing: latest("bing"), yandex: latest("yandex") },
      observations: seen.filter((observation) => hasPosition(observation, position)),
    };
  });
}

/** Open steps of the Google lane that may have links up to a position. */
const openSteps = (db: Reader) =>
  db.prepared("open_steps", ({ q, t: { steps } }) =>
    q
      .select()
      .from(steps)
      .where(
        and(
          eq(steps.projectNo, sql.placeholder("no")),
          eq(steps.lane, "google"),
          lte(steps.first, sql.placeholder("to")),
        ),
      ),
  );

/** What was sent of links between two positions, oldest first. */
const deliveriesIn = (db: Reader) =>
  db.prepared("deliveries_in", ({ q, t: { deliveries } }) =>
    q
      .select()
      .from(deliveries)
      .where(
        and(
          eq(deliveries.projectNo, sql.placeholder("no")),
          lte(deliveries.first, sql.placeholder("to")),
          gte(deliveries.last, sql.placeholder("from")),
        ),
      )
      .orderBy(asc(deliveries.id)),
  );

/** What was seen of links between two positions, oldest first. */
const observationsIn = (db: Reader) =>
  db.prepared("observations_in", ({ q, t: { observations } }) =>
    q
      .select()
      .from(observations)
      .where(
        and(
          eq(observations.projectNo, sql.placeholder("no")),
          lte(observations.first, sql.placeholder("to")),
          gte(observations.last, sql.placeholder("from")),
        ),
      )
      .orderBy(asc(observations.id)),
  );

import { and, eq, sql } from "drizzle-orm";
import type { LinkRow, Reader, StepRow } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { aboutLink, type BingCheck, type Delivery, evidenceIn, type Observation, type OpenStep } from "./evidence.ts";
import { Facts, type LinkFact } from "./facts.ts";
import type { Lane } from "./states.ts";

export type ProjectRow = Schema["projects"]["$inferSelect"];

export type { Delivery, LinkRow, Observation, StepRow };

/** A link with its open step, deliveries and observations. */
export interface LinkRecord {
  readonly project: ProjectRow;
  readonly position: number;
  readonly link: LinkRow;
  /** Its open step in the Google lane; null when it is decided. */
  readonly step: OpenStep | null;
  /** The latest delivery per lane. */
  readonly deliveries: Readonly<Record<Lane, Delivery | null>>;
  /** Oldest first. */
  readonly observations: readonly Observation[];
  /** The last answer of Bing; null where it was not asked. */
  readonly bing: BingCheck | null;
  /** Oldest first. */
  readonly facts: readonly LinkFact[];
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
  const [record] = await recordsOf(db, project, rows, true);
  return record ?? null;
}

/**
 * Joins links of a project, in any order, with what is stored per set of links.
 * @param withOwn whether facts come with what is each link's own
 */
export async function recordsOf(
  db: Reader,
  project: ProjectRow,
  rows: readonly LinkRow[],
  withOwn = false,
): Promise<LinkRecord[]> {
  if (rows.length === 0) return [];
  const positions = rows.map(({ id }) => positionOf(id));
  const range = { no: project.no, from: Math.min(...positions), to: Math.max(...positions) };
  const { steps, deliveries, observations, bingChecks, facts: said } = await evidenceIn(db, range, withOwn);
  const facts = new Facts(said);
  return rows.map((link, at) => {
    const position = positions[at]!;
    const sent = aboutLink(deliveries, position);
    const latest = (lane: Lane) => sent.findLast((delivery) => delivery.lane === lane) ?? null;
    return {
      project,
      position,
      link,
      step: aboutLink(steps, position)[0] ?? null,
      deliveries: { google: latest("google"), bing: latest("bing"), yandex: latest("yandex") },
      observations: aboutLink(observations, position),
      bing: aboutLink(bingChecks, position).at(-1) ?? null,
      facts: facts.of(position),
    };
  });
}

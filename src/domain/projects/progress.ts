import { and, asc, eq, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { type Finding, findingOf } from "./findings.ts";
import { labelsFingerprint } from "./labels.ts";
import type { ProjectRow } from "./read.ts";
import type { Action, CheckStage, DeliveryStatus, Lane } from "./states.ts";
import { type Timeline, timelineOf } from "./timeline.ts";

export type Counts = Readonly<Record<Finding, number>>;

/** What has become of a project's links, and what happens next. All times are service time. */
export interface Progress {
  /** Counts of all links, by what the evidence says of each. */
  readonly counts: Counts;
  /** How many links were looked up at least once. */
  readonly lookedUp: number;
  /** How many links had been found, and how many of them were still there, at times from the beginning to `until`, ascending. */
  readonly history: readonly HistoryPoint[];
  /** Open steps, by when they are due, and how many links they are for. */
  readonly next: readonly {
    readonly action: Action;
    readonly stage: CheckStage;
    readonly at: number;
    readonly links: number;
  }[];
  /** Submissions to each engine: how many links, by the status and detail of the latest. */
  readonly engines: readonly {
    readonly lane: Lane;
    readonly status: DeliveryStatus;
    readonly detail: string | null;
    readonly links: number;
  }[];
}

export interface HistoryPoint {
  readonly at: number;
  readonly found: number;
  readonly inGoogle: number;
}

/** Intervals of the history. */
const INTERVALS = 96;

/** @param until service time of the end of the history */
export async function progressOf(db: Reader, project: ProjectRow, until: number): Promise<Progress> {
  const timeline = await timelineOf(db, project);
  const { links, last } = timeline;
  const findings = links.map((link, position) => findingOf(link, last[position]?.result ?? null));
  const counts = zero();
  for (const finding of findings) counts[finding]++;
  return {
    counts,
    lookedUp: timeline.decided.reduce((sum, at) => sum + (at > 0 ? 1 : 0), 0),
    history: historyOf(project, findings, timeline, until),
    next: await nextOf(db, project),
    engines: await enginesOf(db, project),
  };
}

/** A short text that changes whenever the progress of a project, its labels or any evidence does, Bing's too. It takes one small query. */
export async function progressFingerprint(db: Reader, project: ProjectRow): Promise<string> {
  const { no, waiting, checking, indexed, failed, completedAt } = project;
  const query = db.prepared("progress_fingerprint", ({ q, t: { steps, deliveries, observations, bingChecks } }) => {
    const newest = (table: typeof deliveries | typeof observations | typeof bingChecks) =>
      sql<number>`(select coalesce(max(${table.id}), 0) from ${table} where ${table.projectNo} = ${sql.placeholder("no")})`;
    return q
      .select({
        count: sql<number>`count(*)`,
        due: sql<number>`coalesce(sum(${steps.dueAt} % 1000000007), 0)`,
        delivery: newest(deliveries),
        observation: newest(observations),
        bingCheck: newest(bingChecks),
      })
      .from(steps)
      .where(eq(steps.projectNo, sql.placeholder("no")));
  });
  const [row] = await query.execute({ no });
  const { count, due, delivery, observation, bingCheck } = row!;
  const ofProject = [no, waiting, checking, indexed, failed, completedAt ?? 0];
  const ofRows = [count, due, delivery, observation, bingCheck];
  return [...[...ofProject, ...ofRows].map(Number), labelsFingerprint(project)].join("-");
}

/** What Google had before a link was sent is no part of it. */
function historyOf(
  { createdAt }: ProjectRow,
  findings: readonly Finding[],
  { found, lost, decided }: Timeline,
  until: number,
): Progress["history"] {
  const step = Math.max(1, (until - createdAt) / INTERVALS);
  const changes = Array.from({ length: INTERVALS + 1 }, () => ({ found: 0, lost: 0 }));
  const at = (time: number) => changes[Math.min(INTERVALS, Math.max(0, Math.ceil((time - createdAt) / step)))]!;
  findings.forEach((finding, position) => {
    if (!found[position] || finding === "failed") return;
    at(found[position]).found++;
    if (finding !== "indexed") at(lost[position] || decided[position]!).lost++;
  });
  const sums = { found: 0, lost: 0 };
  return changes.map((change, index) => {
    sums.found += change.found;
    sums.lost += change.lost;
    const inGoogle = sums.found - sums.lost;
    return { at: createdAt + Math.round(index * step), found: sums.found, inGoogle };
  });
}

async function nextOf(db: Reader, { no }: ProjectRow): Promise<Progress["next"]> {
  const { steps } = db.t;
  const { action, stage, dueAt } = steps;
  return db.q
    .select({ action, stage, at: dueAt, links: sql<number>`sum(${steps.size})`.mapWith(Number) })
    .from(steps)
    .where(and(eq(steps.projectNo, no), eq(steps.lane, "google")))
    .groupBy(action, stage, dueAt)
    .orderBy(asc(dueAt));
}

async function enginesOf(db: Reader, project: ProjectRow): Promise<Progress["engines"]> {
  const { deliveries } = db.t;
  const { lane, status, detail, first, members } = deliveries;
  const rows = await db.q
    .select({ lane, status, detail, first, members })
    .from(deliveries)
    .where(eq(deliveries.projectNo, project.no))
    .orderBy(asc(deliveries.id));
  type Group = { lane: Lane; status: DeliveryStatus; detail: string | null; links: number };
  const groups = new Map<string, Group>();
  const latest = new Map(rows.map((row) => [row.lane, new Array<Group | undefined>(project.total)]));
  for (const { lane, status, detail, ...set } of rows) {
    const key = `${lane} ${status} ${detail}`;
    const group = groups.get(key) ?? { lane, status, detail, links: 0 };
    groups.set(key, group);
    const ofLane = latest.get(lane)!;
    for (const position of unpackPositions(set)) {
      const earlier = ofLane[position];
      if (earlier) earlier.links--;
      ofLane[position] = group;
      group.links++;
    }
  }
  return [...groups.values()].filter(({ links }) => links > 0);
}

function zero(): Record<Finding, number> {
  return { waiting: 0, checking: 0, indexed: 0, gone: 0, not_indexed: 0, unknown: 0, failed: 0 };
}

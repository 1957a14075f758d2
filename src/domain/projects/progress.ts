import { and, asc, between, eq, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { scheduledAt } from "./create.ts";
import { FINDINGS, type Finding, findingOf } from "./findings.ts";
import { labelsFingerprint } from "./labels.ts";
import type { LinkRow, Observation, ProjectRow } from "./read.ts";
import { causeOf } from "./reasons.ts";
import type { Action, CheckStage, DeliveryStatus, Lane } from "./states.ts";

export type Counts = Readonly<Record<Finding, number>>;

/** What has become of a project's links, and what happens next. All times are service time. */
export interface Progress {
  /** Counts of all links, by what the evidence says of each. */
  readonly counts: Counts;
  /** The counts at times from the beginning to `until`, ascending. */
  readonly history: readonly { readonly at: number; readonly counts: Counts }[];
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
  /** How many links were paid back, by cause: a code of reasons.ts and its sentence; most links first. */
  readonly causes: readonly { readonly code: string; readonly message: string; readonly links: number }[];
}

/** Intervals of the history. */
const INTERVALS = 96;

/** When something happened to each link, as far as the evidence tells: arrays by position, 0 for never. */
interface Timeline {
  readonly sent: Float64Array;
  readonly found: Float64Array;
  readonly lost: Float64Array;
  readonly decided: Float64Array;
}

/** @param until service time of the end of the history */
export async function progressOf(db: Reader, project: ProjectRow, until: number): Promise<Progress> {
  const links = await linksIn(db, project);
  const { timeline, last } = await timelineOf(db, project, links);
  const findings = links.map((link, position) => findingOf(link, last[position]?.result ?? null));
  const counts = zero();
  for (const finding of findings) counts[finding]++;
  return {
    counts,
    history: historyOf(project, links, findings, timeline, until),
    next: await nextOf(db, project),
    engines: await enginesOf(db, project),
    causes: causesOf(project, links, last),
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

type Link = Pick<LinkRow, "state" | "error" | "sentAt" | "cancelledAt">;

/** The links by position. Links that are alike share one object, because thousands are sent and decided together. */
async function linksIn(db: Reader, { no, total }: ProjectRow): Promise<Link[]> {
  const { id, state, error, sentAt, cancelledAt } = db.t.links;
  const groups = await db.q
    .select({ state, error, sentAt, cancelledAt, ids: db.gathered(id) })
    .from(db.t.links)
    .where(between(id, linkKey(no, 0), linkKey(no, total - 1)))
    .groupBy(state, error, sentAt, cancelledAt);
  const links = new Array<Link>(total);
  for (const { ids, ...link } of groups) for (const key of ids) links[positionOf(key)] = link;
  return links;
}

async function timelineOf(db: Reader, project: ProjectRow, links: readonly Link[]) {
  const array = () => new Float64Array(project.total);
  const timeline = { sent: array(), found: array(), lost: array(), decided: array() };
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
  return { timeline, last };
}

function historyOf(
  project: ProjectRow,
  links: readonly Link[],
  findings: readonly Finding[],
  { sent, found, lost, decided }: Timeline,
  until: number,
): Progress["history"] {
  const from = project.createdAt;
  const step = Math.max(1, (until - from) / INTERVALS);
  const changes = Array.from({ length: INTERVALS + 1 }, zero);
  changes[0]!.waiting = links.length;
  const enter = (at: number, earlier: Finding, next: Finding): Finding => {
    const interval = changes[Math.min(INTERVALS, Math.max(0, Math.ceil((at - from) / step)))]!;
    interval[earlier]--;
    interval[next]++;
    return next;
  };
  links.forEach(({ cancelledAt }, position) => {
    const finding = findings[position]!;
    let now: Finding = "waiting";
    if (sent[position]) now = enter(sent[position], now, "checking");
    if (found[position]) now = enter(found[position], now, "indexed");
    if (lost[position]) now = enter(lost[position], now, "gone");
    if (finding === now) return;
    // A link that failed before it was sent has no check. It failed when it was cancelled, or when it was to be sent.
    enter(decided[position] || cancelledAt || scheduledAt(project, position), now, finding);
  });
  const counts = zero();
  return changes.map((interval, index) => {
    for (const finding of FINDINGS) counts[finding] += interval[finding];
    return { at: from + Math.round(index * step), counts: { ...counts } };
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

function causesOf(
  project: ProjectRow,
  links: readonly Link[],
  last: readonly Pick<Observation, "result" | "reason">[],
): Progress["causes"] {
  if (project.kind !== "index") return [];
  const groups = new Map<string, { readonly position: number; links: number }>();
  links.forEach(({ state, error }, position) => {
    if (state !== "not_indexed" && error === null) return;
    const { result, reason } = last[position] ?? {};
    const key = `${state} ${error ?? (result === "not_indexed" ? reason : "")}`;
    const group = groups.get(key);
    if (group) group.links++;
    else groups.set(key, { position, links: 1 });
  });
  const causes = new Map<string, Progress["causes"][number]>();
  // Worded once for each group: there may be thousands of links in one.
  for (const { position, links: count } of groups.values()) {
    const link = links[position]!;
    const cause = causeOf(link, last[position] ? [last[position]] : []);
    if (cause === null) continue;
    const key = `${link.state} ${cause.code}`;
    causes.set(key, { ...cause, links: count + (causes.get(key)?.links ?? 0) });
  }
  return [...causes.values()].sort((a, b) => b.links - a.links);
}

function zero(): Record<Finding, number> {
  return { waiting: 0, checking: 0, indexed: 0, gone: 0, not_indexed: 0, unknown: 0, failed: 0 };
}

import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { NewStep, Tx } from "../../../db/engine.ts";
import { namedRows, placeholderRows } from "../../../db/placeholders.ts";
import { noteVerdicts } from "../../domain/coverage/changes.ts";
import { priorityOf } from "../../domain/projects/create.ts";
import type { Move } from "../../domain/projects/move.ts";
import { storeFacts } from "../../domain/projects/new-facts.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { settleLinks } from "../../domain/projects/settle.ts";
import { type Lane, STEP_SIZE } from "../../domain/projects/states.ts";
import type { Times } from "../../platform/clock.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import { removeHeldStep } from "./lease.ts";
import type { Group, NextStep, Partitioned } from "./partition.ts";

/**
 * Writes the result of a step in one transaction: removes the step from the queue, changes the state of its links,
 * returns credits, stores the evidence and enqueues the next steps.
 *
 * @throws LeaseLost
 */
export async function completeStep(
  tx: Tx,
  project: ProjectRow,
  step: StepRow,
  { moves, next, deliveries, observations, facts }: Partitioned,
  times: Times,
): Promise<void> {
  await removeHeldStep(tx, step);
  const mayComplete = step.lane === "google" && next.length === 0;
  const isBeforeSending = step.stage === "before_sending";
  const lookedUp = isBeforeSending ? lookedUpIn(observations) : 0;
  const settled = isBeforeSending ? await cancelledFirst(tx, project, moves) : moves;
  const at = times.service;
  const fact = { bucket: project.bucket, projectNo: project.no, at };
  await insertFacts(
    tx,
    "deliveries",
    deliveries.map(({ positions, ...rest }) => ({ ...fact, lane: step.lane, ...rest, ...spanOf(positions) })),
  );
  if (step.lane === "bing")
    await insertBingChecks(
      tx,
      observations.map(({ positions, result, reason }) => ({
        ...fact,
        ...{ stage: step.stage, result, reason },
        ...spanOf(positions),
      })),
    );
  const evidence = step.lane === "google" ? observations : [];
  await insertFacts(
    tx,
    "observations",
    evidence.map(({ positions, counts, isVerdict: _, ...rest }) => {
      const text = counts && JSON.stringify(counts);
      return { ...fact, stage: step.stage, ...rest, counts: text, ...spanOf(positions) };
    }),
  );
  const verdicts = evidence.filter(({ isVerdict }) => isVerdict);
  await noteVerdicts(tx, project, verdicts, at);
  // After the evidence: the verdict on an experiment, which may end here, rests on it.
  await settleLinks(tx, project, settled, { source: `step:${step.id}`, times, mayComplete, lookedUp });
  if (facts) await storeFacts(tx, project, facts, times);
  for (const lane of new Set(next.map((group) => group.lane ?? step.lane))) {
    await enqueue(
      tx,
      project,
      lane,
      next.filter((group) => (group.lane ?? step.lane) === lane),
    );
  }
}

/**
 * The moves of links that were looked up before sending. A link that was cancelled in the meantime counts as
 * cancelled and all its credits are returned, whatever the lookup has found (docs/rules.md rule 7).
 */
async function cancelledFirst(tx: Tx, project: ProjectRow, moves: Partitioned["moves"]): Promise<Move[]> {
  const { links } = tx.t;
  const settled: Move[] = [];
  for (const move of moves) {
    const ids = move.positions.map((position) => linkKey(project.no, position));
    const isCancelled = and(tx.among(links.id, ids), isNotNull(links.cancelledAt));
    const rows = move.to === "failed" ? await tx.q.select({ id: links.id }).from(links).where(isCancelled) : [];
    const cancelled = new Set(rows.map(({ id }) => positionOf(id)));
    const rest = move.positions.filter((position) => !cancelled.has(position));
    settled.push({ ...move, positions: rest });
    if (cancelled.size > 0) settled.push({ ...move, positions: [...cancelled], patch: { error: "cancelled" } });
  }
  return settled;
}

/** How many links have a result that needs no repetition. */
function lookedUpIn(observations: Partitioned["observations"]): number {
  return observations.reduce((sum, { result, positions }) => sum + (result === "unknown" ? 0 : positions.length), 0);
}

/** Facts that one prepared statement writes. Most steps have one to three. */
const FACTS_AT_ONCE = 4;

async function insertFacts(tx: Tx, name: "deliveries" | "observations", facts: readonly object[]): Promise<void> {
  for (let from = 0; from < facts.length; from += FACTS_AT_ONCE) {
    const rows = facts.slice(from, from + FACTS_AT_ONCE);
    const query = tx.prepared(`insert_${name}_${rows.length}`, ({ q, t: { [name]: table } }) =>
      q.insert(table).values(placeholderRows(table, rows.length)).returning({ id: table.id }),
    );
    await query.execute(namedRows(rows));
  }
}

/** Few steps have such rows, so the statement is not prepared. */
async function insertBingChecks(tx: Tx, rows: readonly Tx["t"]["bingChecks"]["$inferInsert"][]): Promise<void> {
  if (rows.length > 0) await tx.q.insert(tx.t.bingChecks).values([...rows]);
}

/** Enqueues links: in a step that is alike and has room, otherwise in a new one. */
async function enqueue(tx: Tx, project: ProjectRow, lane: Lane, groups: readonly Group<NextStep>[]): Promise<void> {
  if (groups.length === 0) return;
  const open: StepRow[] = [];
  for (const dueAt of new Set(groups.map((group) => group.dueAt)))
    open.push(...(await freeSteps(tx).execute({ no: project.no, lane, dueAt })));
  const fresh: NewStep[] = [];
  for (const group of groups) {
    const step = newStep(project, lane, group);
    const room = open.find((other) => isAlike(other, step) && other.size + step.size <= STEP_SIZE);
    if (!room) {
      fresh.push(step);
      continue;
    }
    const { first, size, members } = packPositions([...unpackPositions(room), ...group.positions]);
    await enlarge(tx).execute({ id: room.id, first, size, members });
    Object.assign(room, { first, size, members });
  }
  await tx.insertSteps(fresh);
}

const freeSteps = (tx: Tx) =>
  tx.prepared("free_steps", ({ q, t: { steps } }) =>
    q
      .select()
      .from(steps)
      .where(
        and(
          eq(steps.projectNo, sql.placeholder("no")),
          eq(steps.lane, sql.param(sql.placeholder("lane"), steps.lane)),
          isNull(steps.lease),
          eq(steps.dueAt, sql.placeholder("dueAt")),
        ),
      ),
  );

const enlarge = (tx: Tx) =>
  tx.prepared("enlarge_step", ({ q, t: { steps } }) =>
    q
      .update(steps)
      .set({
        first: sql`${sql.param(sql.placeholder("first"), steps.first)}`,
        size: sql`${sql.param(sql.placeholder("size"), steps.size)}`,
        members: sql`${sql.param(sql.placeholder("members"), steps.members)}`,
      })
      .where(eq(steps.id, sql.placeholder("id")))
      .returning({ id: steps.id }),
  );

function newStep(project: ProjectRow, lane: Lane, group: Group<NextStep>): NewStep {
  const { first, size, members } = packPositions(group.positions);
  return {
    bucket: project.bucket,
    projectNo: project.no,
    lane,
    action: group.action,
    stage: group.stage,
    negatives: group.negatives ?? 0,
    tries: group.tries ?? 0,
    availableMs: group.availableMs ?? 0,
    checkedAt: group.checkedAt ?? null,
    priority: priorityOf(project, lane),
    dueAt: group.dueAt,
    first,
    members,
    size,
  };
}

function isAlike(a: NewStep, b: NewStep): boolean {
  return (
    a.dueAt === b.dueAt &&
    a.action === b.action &&
    a.stage === b.stage &&
    a.negatives === b.negatives &&
    a.tries === b.tries &&
    a.availableMs === b.availableMs &&
    a.checkedAt === b.checkedAt
  );
}

function spanOf(positions: readonly number[]) {
  const { first, last, members } = packPositions(positions);
  return { first, last, members };
}

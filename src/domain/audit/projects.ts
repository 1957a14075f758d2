import { and, asc, eq, gte, ne, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { costOf } from "../ledger/costs.ts";
import { isHeldOut } from "../projects/create.ts";
import type { ProjectRow } from "../projects/read.ts";
import { LINK_STATES, type LinkState } from "../projects/states.ts";
import { expect } from "./expect.ts";

/**
 * The counts of a project agree with its links, and what it spent was kept or returned.
 * @returns the number of its open steps
 */
export async function auditProject(db: Reader, project: ProjectRow, problems: string[]): Promise<number> {
  const name = `project ${project.id}`;
  const links = await linksOf(db, project);
  const states = links.map(({ state }) => state);
  const skipped = links.filter(({ error }) => error === "already_indexed").length;
  const count = (state: LinkState) => states.filter((one) => one === state).length;
  expect(problems, `${name}: links`, states.length, project.total);
  const { waiting, checking, indexed, notIndexed, failed } = project;
  const counts = { waiting, checking, indexed, not_indexed: notIndexed, failed };
  for (const state of LINK_STATES) expect(problems, `${name}: count of ${state}`, counts[state], count(state));
  expect(problems, `${name}: links that Google had already`, project.alreadyIndexed, skipped);
  const lookedUp = project.skipIndexed ? await lookedUpIn(db, project) : 0;
  expect(problems, `${name}: links looked up before sending`, project.lookedUp, lookedUp);
  await auditMoney(db, project, count, problems);
  return auditSteps(db, project, states, problems);
}

type AuditedLink = { readonly state: LinkState; readonly error: string | null };

async function linksOf(db: Reader, project: ProjectRow): Promise<AuditedLink[]> {
  const { links } = db.t;
  const from = linkKey(project.no, 0);
  const rows = await db.q
    .select({ id: links.id, state: links.state, error: links.error })
    .from(links)
    .where(sql`${gte(links.id, from)} AND ${links.id} < ${linkKey(project.no + 1, 0)}`)
    .orderBy(asc(links.id));
  return rows.filter((row, index) => positionOf(row.id) === index);
}

/** Links with a reliable answer from before they were sent, by the evidence. */
async function lookedUpIn(db: Reader, { no }: ProjectRow): Promise<number> {
  const { observations } = db.t;
  const isBefore = and(eq(observations.projectNo, no), eq(observations.stage, "before_sending"));
  const rows = await db.q
    .select()
    .from(observations)
    .where(and(isBefore, ne(observations.result, "unknown")));
  return new Set(rows.flatMap(unpackPositions)).size;
}

async function auditMoney(db: Reader, project: ProjectRow, count: (state: LinkState) => number, problems: string[]) {
  const name = `project ${project.id}`;
  const { ledger } = db.t;
  const rows = await db.q
    .select({ kind: ledger.kind, credits: sql<number>`sum(${ledger.credits})`.mapWith(Number) })
    .from(ledger)
    .where(sql`${eq(ledger.accountId, project.accountId)} AND ${eq(ledger.projectId, project.id)}`)
    .groupBy(ledger.kind);
  const booked = (kind: string) => rows.find((row) => row.kind === kind)?.credits ?? 0;
  expect(problems, `${name}: credits spent`, project.creditsSpent, -booked("spend"));
  expect(problems, `${name}: credits returned`, project.creditsReturned, booked("return"));
  if (project.kind === "index") {
    expect(problems, `${name}: price of its links`, project.creditsSpent, project.price * project.total);
    const { price, alreadyIndexed } = project;
    const forOthers = price * (count("not_indexed") + count("failed") - alreadyIndexed);
    expect(problems, `${name}: returned for links`, project.creditsReturned, forOthers + returnedForSkipped(project));
  } else {
    const kind = isHeldOut(project) ? "holdout" : "check";
    const kept =
      project.status === "completed" ? costOf(kind, count("indexed") + count("not_indexed")) : project.creditsSpent;
    expect(problems, `${name}: kept for looked-up links`, project.creditsSpent - project.creditsReturned, kept);
  }
}

/** What has come back, at completion, for links that were not sent because Google had them. */
export function returnedForSkipped({ status, price, alreadyIndexed, lookedUp }: ProjectRow): number {
  return status === "completed" ? Math.max(0, price * alreadyIndexed - costOf("check", lookedUp)) : 0;
}

async function auditSteps(db: Reader, project: ProjectRow, states: LinkState[], problems: string[]): Promise<number> {
  const name = `project ${project.id}`;
  const { steps } = db.t;
  const open = await db.q.select().from(steps).where(eq(steps.projectNo, project.no));
  const taken = new Set<string>();
  for (const step of open) {
    const positions = unpackPositions(step);
    expect(problems, `${name}: size of step ${step.id}`, step.size, positions.length);
    for (const position of positions) {
      const key = `${step.lane}/${position}`;
      if (taken.has(key)) problems.push(`${name}: link ${position} stands in two steps of lane ${step.lane}`);
      taken.add(key);
    }
  }
  states.forEach((state, position) => {
    const stands = taken.has(`google/${position}`);
    if ((state === "waiting" || state === "checking") && !stands)
      problems.push(`${name}: link ${position} stands in no step`);
    if ((state === "not_indexed" || state === "failed") && stands)
      problems.push(`${name}: link ${position} is decided and queued`);
  });
  const isActive = open.some((step) => step.lane === "google");
  expect(problems, `${name}: status`, project.status, isActive ? "active" : "completed");
  return open.length;
}

/** Links and steps whose project does not exist. */
export async function auditOrphans(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { links, steps } = db.t;
  const [stored] = await db.q.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(links);
  const known = projects.reduce((total, project) => total + project.total, 0);
  expect(problems, "links in the database", stored!.count, known);
  const numbers = new Set(projects.map((project) => project.no));
  for (const { no } of await db.q.selectDistinct({ no: steps.projectNo }).from(steps)) {
    if (!numbers.has(no)) problems.push(`steps of project number ${no}, which does not exist`);
  }
}

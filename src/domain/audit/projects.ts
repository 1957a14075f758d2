import { asc, eq, gte, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { costOf } from "../payments/orders/prices.ts";
import type { ProjectRow } from "../projects/read.ts";
import { LINK_STATES, type LinkState } from "../projects/states.ts";
import { expect } from "./expect.ts";

/** The counts of a project are those of its links, and what it spent was kept or returned. @returns the number of its open steps */
export async function auditProject(db: Reader, project: ProjectRow, problems: string[]): Promise<number> {
  const name = `project ${project.id}`;
  const states = await statesOf(db, project);
  const count = (state: LinkState) => states.filter((one) => one === state).length;
  expect(problems, `${name}: links`, states.length, project.total);
  const { waiting, checking, indexed, notIndexed, failed } = project;
  const counts = { waiting, checking, indexed, not_indexed: notIndexed, failed };
  for (const state of LINK_STATES) expect(problems, `${name}: count of ${state}`, counts[state], count(state));
  await auditMoney(db, project, count, problems);
  return auditSteps(db, project, states, problems);
}

async function statesOf(db: Reader, project: ProjectRow): Promise<LinkState[]> {
  const { links } = db.t;
  const from = linkKey(project.no, 0);
  const rows = await db.q
    .select({ id: links.id, state: links.state })
    .from(links)
    .where(sql`${gte(links.id, from)} AND ${links.id} < ${linkKey(project.no + 1, 0)}`)
    .orderBy(asc(links.id));
  return rows.filter((row, index) => positionOf(row.id) === index).map((row) => row.state);
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
    expect(
      problems,
      `${name}: returned for links`,
      project.creditsReturned,
      project.price * (count("not_indexed") + count("failed")),
    );
  } else {
    const kept =
      project.status === "completed" ? costOf("check", count("indexed") + count("not_indexed")) : project.creditsSpent;
    expect(problems, `${name}: kept for looked-up links`, project.creditsSpent - project.creditsReturned, kept);
  }
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

import { asc, eq, sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { costOf } from "../../../src/domain/ledger/costs.ts";
import type { ProjectRow } from "../../../src/domain/projects/read.ts";
import { type CheckStage, LANES } from "../../../src/domain/projects/states.ts";
import { linkKey, positionOf } from "../../../src/platform/ids.ts";
import { unpackPositions } from "../../../src/platform/link-set.ts";
import type { ChaosAccount } from "./account.ts";
import type { Submission } from "./submitter.ts";

/** Checks what must hold once all steps are done, whichever faults were injected. @returns the problems, and totals */
export async function checkInvariants(
  db: Engine,
  { accounts, wanted, since }: { accounts: readonly ChaosAccount[]; wanted: readonly Submission[]; since: number },
) {
  const { ok, steps, links, problems: found } = await audit(db);
  const problems = ok ? [] : found.map((problem) => `audit: ${problem}`);
  if (steps > 0) problems.push(`${steps} steps are left`);
  const projects = await db.q.select().from(db.t.projects).orderBy(asc(db.t.projects.no));
  await auditAnswers(db, wanted, projects, problems);
  const money = await auditMoney(db, accounts, projects, problems);
  for (const project of projects) await auditLinks(db, project, problems);
  await auditTimes(db, since, problems);
  return { problems, projects: projects.length, links, ...money };
}

/** An answered submission was made once, as its answer says; a refused one was not made; no other projects exist. */
async function auditAnswers(db: Engine, wanted: readonly Submission[], projects: ProjectRow[], problems: string[]) {
  const byName = new Map<string, ProjectRow[]>();
  for (const project of projects) byName.set(project.name, [...(byName.get(project.name) ?? []), project]);
  const remembered = new Map((await db.q.select().from(db.t.idempotency)).map((row) => [row.key, row.result]));
  for (const { name, answer, accountId, urls } of wanted) {
    const made = byName.get(name) ?? [];
    byName.delete(name);
    if (made.length > 1) problems.push(`${name} was made ${made.length} times`);
    if (answer === null && made.length > 0) problems.push(`${name} was refused and made`);
    if (typeof answer === "string" && JSON.parse(answer).project.id !== made[0]?.id)
      problems.push(`${name} was answered and is not there: ${answer}`);
    const result = remembered.get(name) ?? null;
    if ((result !== null) !== made.length > 0) problems.push(`${name}: its key says ${result}, made ${made.length}`);
    if (typeof answer === "string" && result !== answer)
      problems.push(`${name}: its key says ${result}, not ${answer}`);
    if (made[0] && (made[0].accountId !== accountId || made[0].total !== urls)) problems.push(`${name} is another one`);
  }
  for (const name of byName.keys()) problems.push(`${name} was never asked for`);
}

async function auditMoney(db: Engine, accounts: readonly ChaosAccount[], projects: ProjectRow[], problems: string[]) {
  let spent = 0;
  let returned = 0;
  for (const { id, credits } of accounts) {
    let balance = credits;
    for (const project of projects.filter(({ accountId }) => accountId === id)) {
      const { kind, mode, total, indexed, notIndexed, failed } = project;
      const perLink = kind === "check" ? null : costOf(mode as "standard", 1);
      const cost = perLink === null ? costOf("check", total) : perLink * total;
      const kept = perLink === null ? costOf("check", indexed + notIndexed) : perLink * (total - notIndexed - failed);
      spent += cost;
      returned += cost - kept;
      balance -= kept;
    }
    const [account] = await db.q.select().from(db.t.accounts).where(eq(db.t.accounts.id, id));
    if (account!.credits !== balance) problems.push(`account ${id} has ${account!.credits} credits, not ${balance}`);
    const ledger = await db.q.select().from(db.t.ledger).where(eq(db.t.ledger.accountId, id));
    const lowest = Math.min(...ledger.map((entry) => entry.balanceAfter));
    if (lowest < 0) problems.push(`account ${id} was at ${lowest}`);
  }
  return { spent, returned };
}

/** Recorded times are right, although the clocks of the nodes are not. */
async function auditTimes(db: Engine, since: number, problems: string[]): Promise<void> {
  const { ledger, idempotency } = db.t;
  const times = [
    ...(await db.q.select({ at: ledger.at }).from(ledger)),
    ...(await db.q.select({ at: idempotency.createdAt }).from(idempotency)),
  ].map(({ at }) => at);
  const now = Date.now();
  const wrong = times.filter((at) => at < since - TOLERANCE_MS || at > now + TOLERANCE_MS);
  if (wrong.length > 0) problems.push(`${wrong.length} of ${times.length} times are wrong, by ${wrong[0]! - now} ms`);
}

/** How far recorded times may be off, in ms: a node estimates the database's clock from a round trip. */
const TOLERANCE_MS = 3_000;

/** Every link is sent once, once more after two negatives on day 4, and checked until its verdict and not after it. */
async function auditLinks(db: Engine, project: ProjectRow, problems: string[]): Promise<void> {
  const { deliveries, observations, links } = db.t;
  const histories = Array.from({ length: project.total }, () => ({
    sends: { google: 0, bing: 0, yandex: 0 },
    checks: [] as string[],
  }));
  for (const row of await db.q.select().from(deliveries).where(eq(deliveries.projectNo, project.no))) {
    for (const position of unpackPositions(row)) histories[position]!.sends[row.lane]++;
  }
  const seen = await db.q
    .select()
    .from(observations)
    .where(eq(observations.projectNo, project.no))
    .orderBy(asc(observations.id));
  for (const row of seen) {
    for (const position of unpackPositions(row))
      histories[position]!.checks.push(`${SIGNS[row.stage]}${row.result[0]}`);
  }
  const rows = await db.q
    .select()
    .from(links)
    .where(sql`${links.id} >= ${linkKey(project.no, 0)} AND ${links.id} < ${linkKey(project.no + 1, 0)}`)
    .orderBy(asc(links.id));
  for (const { id, state } of rows) {
    const { sends, checks } = histories[positionOf(id)]!;
    const history = `${LANES.map((lane) => sends[lane]).join("")} ${checks.join(" ")} ${state}`;
    const law = project.kind === "check" ? CHECK : INDEX;
    if (!law.test(history))
      problems.push(`${project.name}, link ${positionOf(id)} (project ${project.no}) has the history: ${history}`);
  }
}

/** E(arly), day 4 (F), day 1(4) (L), C(heck), B(efore sending); then i(ndexed), n(ot_indexed), u(nknown). */
const SIGNS: Record<CheckStage, string> = {
  none: "?",
  early: "E",
  day_4: "F",
  day_14: "L",
  check: "C",
  before_sending: "B",
};

/** Number of sends to each engine, checks with their results, and the state at the end. */
const EARLY_CHECKS = "(E[nu] )*(Ei )?";
/** Found on day 4, or missing there only once: it is not sent again. */
const SENT_ONCE = "((Fu )+|(Fu )*Fi |(Fu )*Fn (Fu )*(Fi )?)";
const SENT_AGAIN = "(Fu )*Fn (Fu )*Fn ";
/** The last checks: indexed; twice not found; or decided by earlier results because day 14 has no answer. */
const LAST = `(Lu )*(Li indexed|Ln (Lu )*(Li indexed|Ln not_indexed|Ln indexed|not_indexed)|not_indexed|indexed)`;
const INDEX = new RegExp(
  `^(111  failed|111 ${EARLY_CHECKS}${SENT_ONCE}${LAST}|211 ${EARLY_CHECKS}${SENT_AGAIN}${LAST})$`,
);
const CHECK = /^000 (Cu )*(Ci indexed|Cn (Cu )*(Ci indexed|Cn not_indexed|failed)|failed)$/;

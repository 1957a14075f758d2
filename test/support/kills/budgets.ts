import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { approvalsOf, decideApproval } from "../../../src/domain/spending/approvals.ts";
import { budgetOf, setLimits } from "../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../src/domain/spending/limits.ts";
import { openAccount } from "../nodes/account.ts";
import { SeededRandom } from "../nodes/seeded-random.ts";
import { BUNDLE } from "../service/beckon-command.ts";
import { APPROVE_ABOVE, type CallOutcome, COSTLY, type CompetingCall, callerOf } from "../spending/competing-calls.ts";
import { type AnsweredCall, type BudgetRun, checkBudget, type LoweredLimits } from "../spending/invariants.ts";
import { killAt } from "./killable-service.ts";

export interface BudgetKillOptions {
  readonly databaseUrl: string;
  /** Of the first run; each other run has the next one. */
  readonly seed: number;
  readonly runs: number;
  /** How many processes spend one budget, by the random numbers of the run. */
  processes(random: SeededRandom): number;
  /** Prints a line with the verdict of each run. */
  say?(line: string): void;
}

export interface BudgetKillReport {
  /** One sentence for each invariant that does not hold. */
  readonly problems: readonly string[];
  readonly runs: number;
  readonly kills: number;
  /** Calls that were answered with a project, and those that were refused. */
  readonly acknowledged: number;
  readonly refused: number;
  /** Approvals that were used. */
  readonly approvals: number;
  readonly spent: number;
  /** Runs on a slow database, and those in which a limit was lowered below what it was. */
  readonly slow: number;
  readonly lowered: number;
}

/**
 * Lets several processes spend one budget at once. Each is killed at a random moment and started again; the second may go on
 * until nothing is left. Meanwhile the limits are lowered, and in every second run the database is slow. Then what they were
 * answered and the budget are compared with the ledger.
 */
export async function budgetKills({
  databaseUrl,
  seed,
  runs,
  processes,
  say = () => undefined,
}: BudgetKillOptions): Promise<BudgetKillReport> {
  const db = await openDatabase(databaseUrl);
  const sums = { kills: 0, acknowledged: 0, refused: 0, approvals: 0, spent: 0, slow: 0, lowered: 0 };
  const problems: string[] = [];
  try {
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const slowMs = run % 2 === 1 ? random.between(1, 6) : 0;
      const budget = await openBudget(db, random, { processes: processes(random), slowMs });
      const { answers, kills, lowered } = await spendAndKill(db, databaseUrl, budget, random);
      const checked = await checkBudget(db, { run: budget, lowered }, answers);
      const found = checked.problems.map((problem) => `seed ${seed + run}: ${problem}`);
      problems.push(...found);
      const acknowledged = answers.filter((answer) => "project" in answer).length;
      const refused = answers.length - acknowledged;
      const { approvals, spent } = checked;
      const counts = { kills, acknowledged, refused, approvals, spent };
      const isLowered = lowered.total < budget.total;
      const figures = { ...counts, slow: slowMs > 0 ? 1 : 0, lowered: isLowered ? 1 : 0 };
      for (const [name, count] of Object.entries(figures)) sums[name as keyof typeof sums] += count;
      say(
        `budget ${run + 1} of ${runs} ${found.length === 0 ? "adds up" : found.join("; ")} ${JSON.stringify(figures)}`,
      );
    }
    problems.push(...(await audit(db)).problems);
    return { problems, runs, ...sums };
  } finally {
    await db.close();
  }
}

/** Opens an account whose key has a budget, and approves all costly calls but the last. */
async function openBudget(
  db: Engine,
  random: SeededRandom,
  { processes, slowMs }: Pick<BudgetRun, "processes" | "slowMs">,
): Promise<BudgetRun> {
  const { id: accountId } = await openAccount(db, 10_000);
  const [key] = await db.q.select().from(db.t.apiKeys).where(eq(db.t.apiKeys.accountId, accountId));
  const keyId = key!.id;
  const total = processes * random.between(25, 50);
  // The one or the other is reached first.
  const perDay = total + random.between(-10, 10);
  const limits = { ...NO_LIMITS, total, perDay, approveAbove: APPROVE_ABOVE };
  await db.tx((tx) => setLimits(tx, { accountId, holder: keyId }, limits));
  const make = callerOf(db, { accountId, keyId });
  for (const call of COSTLY) await make(call);
  const requested = await approvalsOf(db, accountId, COSTLY.length);
  const approved = requested.filter(({ credits }) => credits < COSTLY.at(-1)!.credits).map(({ id }) => id);
  const now = Date.now();
  for (const id of approved) await db.tx((tx) => decideApproval(tx, accountId, { id, isApproved: true, now }));
  return { accountId, keyId, total, perDay, approved, processes, slowMs };
}

/** Takes away a part of what the limits leave, as the person of the account may at any moment. */
function lowerLimits(db: Engine, { accountId, keyId, total, perDay }: BudgetRun, part: number): Promise<LoweredLimits> {
  const key = { accountId, holder: keyId };
  return db.tx(async (tx) => {
    const { spent, spentToday } = (await budgetOf(tx, key))!;
    const less = Math.floor(Math.max(0, Math.min(total - spent, perDay - spentToday)) * part);
    const limits = { total: total - less, perDay: perDay - less };
    await setLimits(tx, key, { ...NO_LIMITS, ...limits, approveAbove: APPROVE_ABOVE });
    return { ...limits, spent, spentToday };
  });
}

async function spendAndKill(db: Engine, databaseUrl: string, budget: BudgetRun, random: SeededRandom) {
  const answers: AnsweredCall[] = [];
  let kills = 0;
  const start = (endsWhenSpent: boolean) => {
    const seed = random.between(0, 1e9);
    return startSpending(databaseUrl, { ...budget, seed, endsWhenSpent }, answers);
  };
  const first = Array.from({ length: budget.processes }, () => start(false));
  const running = new Set(first.map(({ process }) => process));
  try {
    await Promise.all(first.map(({ ready }) => ready));
    const lowering = { by: random.between(0, first.length - 1), part: random.next() / 2 };
    let lowered: LoweredLimits | null = null;
    const moments = first.map(() => ({ answers: random.between(0, 6), ms: random.between(0, 12) }));
    await Promise.all(
      first.map(async (spending, index) => {
        const moment = moments[index]!;
        spending.begin();
        const isReached = () => spending.answered() >= moment.answers;
        const hasCome = await killAt(spending, { work: spending.ended, isReached, ms: () => moment.ms });
        if (!hasCome) throw new Error("a process that spends ended, or answered too little, before it was killed");
        kills += 1;
        if (index === lowering.by) lowered = await lowerLimits(db, budget, lowering.part);
        const second = start(true);
        running.add(second.process);
        await second.ready;
        second.begin();
        const code = await second.ended;
        if (code !== 0) throw new Error(`a process that spends ended with ${code}`);
      }),
    );
    return { answers, kills, lowered: lowered! };
  } finally {
    for (const process of running) process.kill("SIGKILL");
  }
}

/** Starts a process that spends, which collects what it acknowledges in `answers`. */
function startSpending(
  databaseUrl: string,
  {
    accountId,
    keyId,
    slowMs,
    seed,
    endsWhenSpent,
  }: BudgetRun & { readonly seed: number; readonly endsWhenSpent: boolean },
  answers: AnsweredCall[],
) {
  const given = JSON.stringify({ accountId, keyId, seed, endsWhenSpent, slowMs });
  const child: ChildProcess = spawn(process.execPath, [join(BUNDLE, "spending-process.js"), given], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin!.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const isReady = once(lines, "line").then(() => undefined);
  const died = ended.then((code) => Promise.reject(new Error(`a process that spends ended with ${code}`)));
  died.catch(() => undefined);
  let answered = 0;
  lines.on("line", (line) => {
    const answer = JSON.parse(line) as (CompetingCall & CallOutcome) | { ready: true };
    if ("ready" in answer) return;
    answered += 1;
    answers.push(answer);
  });
  return {
    process: child,
    ready: Promise.race([isReady, died]),
    ended,
    begin: () => void child.stdin!.write("begin\n"),
    answered: () => answered,
    kill: () => void child.kill("SIGKILL"),
    isDead: () => child.exitCode !== null || child.signalCode !== null,
  };
}

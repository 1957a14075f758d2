import { eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import type { ServiceNode } from "./cluster.ts";

/** The recurring job that all nodes try to run once in each slot. */
export const ROUND = { job: "noted", periodMs: 2_000 } as const;

/** What a process has reported about a slot (job-runs.mjs). */
export interface RoundNote {
  /** Id of the process. */
  readonly by: string;
  readonly slot: number;
  /**
   * - `asked`: it tried to claim the slot, and knows who has it; `done`: it has run the job for the slot.
   * - `lost`: it tried to claim the slot and got no answer; `away`: it could not read the database's clock.
   * - `late`: its machine, or the connection to the database, delayed it by the length of a slot.
   */
  readonly what: "asked" | "done" | "lost" | "away" | "late";
  /** When the report was received, in ms since 1970. */
  readonly at: number;
}

/** The process that claimed each slot. */
type Claims = ReadonlyMap<number, string>;

/**
 * Checks what src/process/scheduler promises, whichever faults were injected: the job runs at most once in a slot, and only
 * in the process that has claimed it. It runs in each claimed slot, unless the process died or never got the answer to its
 * claim. No slot is left out while some node runs undisturbed and reaches the database.
 * @returns how many slots were claimed
 */
export async function auditRounds(db: Engine, nodes: readonly ServiceNode[], problems: string[]): Promise<number> {
  const { ticks } = db.t;
  const rows = await db.q.select().from(ticks).where(eq(ticks.job, ROUND.job));
  const claims: Claims = new Map(rows.map(({ slot, node }) => [slot, node]));
  const notes = nodes.flatMap((node) => node.rounds);
  auditDone(claims, notes, problems);
  const alive = new Set(nodes.map((node) => node.rounds.at(-1)?.by));
  auditUndone(claims, notes, alive, problems);
  for (const node of nodes) auditLeftOut(claims, node, problems);
  return rows.length;
}

function auditDone(claims: Claims, notes: readonly RoundNote[], problems: string[]): void {
  const done = new Set<number>();
  for (const { slot, by } of notes.filter(({ what }) => what === "done")) {
    if (done.has(slot)) problems.push(`slot ${slot} was done twice`);
    if (claims.get(slot) !== by) problems.push(`slot ${slot} was done by ${by}, and claimed by ${claims.get(slot)}`);
    done.add(slot);
  }
}

function auditUndone(
  claims: Claims,
  notes: readonly RoundNote[],
  alive: ReadonlySet<string | undefined>,
  problems: string[],
) {
  for (const [slot, by] of claims) {
    const own = notes.filter((note) => note.by === by);
    const reports = own.filter((note) => note.slot === slot).map(({ what }) => what);
    const hasDied = !alive.has(by) && !own.some((note) => note.slot > slot);
    if (!reports.includes("done") && !reports.includes("lost") && !hasDied)
      problems.push(`slot ${slot} was claimed by ${by}, and not done: it reported ${reports}`);
  }
}

/** Between two slots that a process asked for, and without faults, it ran and had to ask for the slots in between. */
function auditLeftOut(claims: Claims, node: ServiceNode, problems: string[]): void {
  const notes = node.rounds.filter(({ what }) => what !== "done");
  for (const { slot, what } of notes) {
    if (what === "asked" && !claims.has(slot)) problems.push(`slot ${slot} was asked for, and nobody has claimed it`);
  }
  for (let index = 1; index < notes.length; index++) {
    const [before, after] = [notes[index - 1]!, notes[index]!];
    if (before.by !== after.by || before.what !== "asked" || after.what !== "asked") continue;
    if (node.disturbances.some(({ from, until }) => from <= after.at && until >= before.at)) continue;
    for (let slot = before.slot + 1; slot < after.slot; slot++) {
      if (!claims.has(slot)) problems.push(`slot ${slot} was left out, though node ${node.index} was undisturbed`);
    }
  }
}

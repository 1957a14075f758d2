import { eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import type { ServiceNode } from "./cluster.ts";

/** What every node tries to do once in each slot of so many ms. */
export const ROUND = { job: "noted", periodMs: 2_000 } as const;

/** What a process has said of its rounds (job-runs.mjs), in its order. */
export interface RoundNote {
  /** The process. */
  readonly by: string;
  readonly slot: number;
  /**
   * - `asked`: it knows who has the slot's row; `done`: it has done the slot's round.
   * - `lost`: it asked for the row and was not told; `away`: it could not ask which slot it is.
   * - `late`: its machine, or the way to the database, held it up for as long as a slot is.
   */
  readonly what: "asked" | "done" | "lost" | "away" | "late";
  /** When it was heard, in ms since 1970. */
  readonly at: number;
}

/** A slot's row, and who did what about it. */
type Won = ReadonlyMap<number, string>;

/**
 * What src/platform/scheduler promises of the rounds of all nodes, whatever happens to them: none is done twice, none by who has not
 * won it. One that was won is done, unless its winner died first, or never heard that its commit was done. None is left
 * out while some node runs undisturbed and reaches the database.
 * @returns how many slots were won
 */
export async function auditRounds(db: Engine, nodes: readonly ServiceNode[], problems: string[]): Promise<number> {
  const { ticks } = db.t;
  const rows = await db.q.select().from(ticks).where(eq(ticks.job, ROUND.job));
  const won: Won = new Map(rows.map(({ slot, node }) => [slot, node]));
  const notes = nodes.flatMap((node) => node.rounds);
  auditDone(won, notes, problems);
  const alive = new Set(nodes.map((node) => node.rounds.at(-1)?.by));
  auditUndone(won, notes, alive, problems);
  for (const node of nodes) auditLeftOut(won, node, problems);
  return rows.length;
}

function auditDone(won: Won, notes: readonly RoundNote[], problems: string[]): void {
  const done = new Set<number>();
  for (const { slot, by } of notes.filter(({ what }) => what === "done")) {
    if (done.has(slot)) problems.push(`round ${slot} was done twice`);
    if (won.get(slot) !== by) problems.push(`round ${slot} was done by ${by}, and won by ${won.get(slot)}`);
    done.add(slot);
  }
}

function auditUndone(
  won: Won,
  notes: readonly RoundNote[],
  alive: ReadonlySet<string | undefined>,
  problems: string[],
) {
  for (const [slot, by] of won) {
    const own = notes.filter((note) => note.by === by);
    const said = own.filter((note) => note.slot === slot).map(({ what }) => what);
    const hasDied = !alive.has(by) && !own.some((note) => note.slot > slot);
    if (!said.includes("done") && !said.includes("lost") && !hasDied)
      problems.push(`round ${slot} was won by ${by}, and not done: it said ${said}`);
  }
}

/** From one slot that a process asked for to its next, it was there for those between, if nothing was done to it. */
function auditLeftOut(won: Won, node: ServiceNode, problems: string[]): void {
  const notes = node.rounds.filter(({ what }) => what !== "done");
  for (const { slot, what } of notes) {
    if (what === "asked" && !won.has(slot)) problems.push(`round ${slot} was asked for, and nobody has its row`);
  }
  for (let index = 1; index < notes.length; index++) {
    const [before, after] = [notes[index - 1]!, notes[index]!];
    if (before.by !== after.by || before.what !== "asked" || after.what !== "asked") continue;
    if (node.disturbances.some(({ from, until }) => from <= after.at && until >= before.at)) continue;
    for (let slot = before.slot + 1; slot < after.slot; slot++) {
      if (!won.has(slot)) problems.push(`round ${slot} was left out, and nothing kept node ${node.index} from it`);
    }
  }
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type CallRequest, callAll } from "./connections.ts";
import { median } from "./support.ts";

/** A server that runs, and a call that is sent to it. */
export interface Contender {
  readonly process: ChildProcess;
  /** The request of the n-th call. */
  call(n: number): CallRequest;
  /** Whether the answer is a success. */
  isRight(status: number, text: string): boolean;
}

/** CPU of the process for one call, in µs. */
export interface CallCost {
  /** Of all rounds. */
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Of each round. */
  readonly rounds: readonly number[];
  /** CPU time of the process per time that passed, of all its threads: near 1, it had work all the time. */
  readonly busy: number;
}

/**
 * Rounds that are not counted. V8 compiles a program's busiest code again over its first thirty thousand calls, and a larger program
 * takes longer.
 */
const WARM_UP = 32;

/** The cost of one contender divided by another's: the median of the rounds' ratios, since what disturbs a round disturbs both. */
export function timesThatOf(one: CallCost, other: CallCost): number {
  return median(one.rounds.map((figure, at) => figure / other.rounds[at]!));
}

/**
 * Starts a program that reports its address (measured.ts).
 * @param program a file in this folder
 * @throws Error if it ends before
 */
export async function startProgram(
  program: string,
  args: readonly string[],
): Promise<{ readonly process: ChildProcess; readonly address: string }> {
  const process = fork(new URL(program, import.meta.url), args, { execArgv: ["--import", "tsx"] });
  const ended = once(process, "exit").then(([code]) => {
    throw new Error(`${program} ended with exit code ${code} before it was ready`);
  });
  const [{ address }] = (await Promise.race([once(process, "message"), ended])) as [{ address: string }];
  // It is ended after its last round.
  ended.catch(() => undefined);
  return { process, address };
}

/**
 * CPU of each contender's process for one call, in µs: medians of `rounds`, each of `calls` calls to every contender, after
 * some rounds that warm up. The contenders are measured alternately, so that other load on the machine affects all of them.
 * What is measured is the CPU time of the server's process, not a rate.
 */
export async function costPerCall(
  contenders: Readonly<Record<string, Contender>>,
  rounds: number,
  calls: number,
): Promise<Record<string, CallCost>> {
  const all = Object.entries(contenders).map(([name, contender]) => ({
    name,
    contender,
    made: 0,
    figures: [] as number[],
    busy: [] as number[],
  }));
  for (let turn = -WARM_UP; turn < rounds; turn++) {
    for (const one of all) {
      const { process, call, isRight } = one.contender;
      await askProcess(process, "reset");
      const startedAt = performance.now();
      const last = one.made + calls;
      await awake(() => callAll({ request: call, isRight }, one.made, last));
      one.made = last;
      const wallUs = (performance.now() - startedAt) * 1000;
      const { cpuUs } = await askProcess(process, "read");
      if (turn < 0) continue;
      one.figures.push(cpuUs / calls);
      one.busy.push(cpuUs / wallUs);
    }
  }
  return Object.fromEntries(all.map(({ name, figures, busy }) => [name, costOf(figures, median(busy))]));
}

/** The cost of a contender that was started several times: of the rounds of all its processes. */
export function costTogether(costs: readonly CallCost[]): CallCost {
  return costOf(
    costs.flatMap(({ rounds }) => rounds),
    median(costs.map(({ busy }) => busy)),
  );
}

function costOf(rounds: readonly number[], busy: number): CallCost {
  return { median: median(rounds), least: Math.min(...rounds), most: Math.max(...rounds), rounds, busy };
}

/**
 * Works without letting this thread sleep. A client that sleeps is woken by the write of each answer, which the server pays for,
 * and the more often, the longer it takes to answer.
 */
async function awake(work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const turn = () => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  try {
    await work();
  } finally {
    isOver = true;
  }
}

/** What a process says of itself that report-cpu.mjs is loaded in. */
interface ProcessFigures {
  /** CPU time since the last reset. */
  readonly cpuUs: number;
  /** Resident memory. */
  readonly rssBytes: number;
  /** What is in use of the heap and outside of it, after a collection of garbage where it was asked to collect. */
  readonly liveBytes: number;
}

export async function askProcess(
  process: ChildProcess,
  message: "reset" | "read" | "collect",
): Promise<ProcessFigures> {
  process.send(message);
  const [answer] = (await once(process, "message")) as [ProcessFigures];
  return answer;
}

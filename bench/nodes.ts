import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { formatNumber } from "../src/platform/format.ts";
import { Field } from "./field.ts";
import type { NodeReport } from "./node.ts";
import type { Aim, Result } from "./result.ts";
import { serverCpu, settle, withPostgres } from "./server.ts";
import { slowWire } from "./slow-wire.ts";
import { median, round } from "./support.ts";

/** Links that each process does before it is measured, so that a process more is not more code to compile. */
const WARM_UP = 50_000;

/**
 * Rounds of each, in turns, so that other load on the machine affects one process and two alike; each begins every other time,
 * since the database grows. Of one account there are more: two processes are as fast as one there, which is to be seen.
 */
const ROUNDS = { spread: 6, hot: 12 } as const;

/** Two processes compared with one, on the same PostgreSQL with so many links due; and again with a network delay of 1 ms. Medians. */
export function benchNodes(links: number) {
  return withPostgres(async (server) => {
    const rows = [];
    for (const hot of [false, true]) {
      const url = await server.create(hot ? "hot" : "spread");
      const field = await Field.make(url, links + 2 * WARM_UP, hot ? 1 : undefined);
      for (const wire of hot ? [0] : [0, 1]) {
        const slow = wire > 0 ? await slowWire(url, wire) : null;
        const measured = { url: slow?.url ?? url, field, links, cpu: () => serverCpu(server.pid) };
        const alone: Round[] = [];
        const both: Round[] = [];
        for (let round = 0; round < ROUNDS[hot ? "hot" : "spread"]; round++) {
          if (round % 2 === 1) both.push(await race({ ...measured, count: 2 }));
          alone.push(await race({ ...measured, count: 1 }));
          if (round % 2 === 0) both.push(await race({ ...measured, count: 2 }));
        }
        slow?.close();
        const where = { accounts: hot ? "one" : "one per project", wire: `${wire} ms` };
        rows.push({ ...where, nodes: 1, ...figuresOf(alone, alone) });
        rows.push({ ...where, nodes: 2, ...figuresOf(both, alone) });
      }
      await field.close();
      await server.drop(hot ? "hot" : "spread");
    }
    return rows;
  });
}

/** Medians of rounds; ratios to the round of one node just before or after. */
function figuresOf(rounds: readonly Round[], alone: readonly Round[]) {
  const of = (figure: (round: Round, beside: Round) => number) =>
    median(rounds.map((one, at) => figure(one, alone[at]!)));
  return {
    "links/s": Math.round(of(({ rate }) => rate)),
    "× one node": round(
      of(({ rate }, beside) => rate / beside.rate),
      2,
    ),
    "steps of each": rounds.at(-1)!.steps.join(" + "),
    "CPU/link µs": round(
      of(({ cost }) => cost),
      1,
    ),
    "× CPU of one node": round(
      of(({ cost }, beside) => cost / beside.cost),
      2,
    ),
    "conflicts/step": round(
      of(({ conflicts }) => conflicts),
      2,
    ),
    "CPU of nodes": `${round(
      of(({ nodes }) => nodes),
      0,
    )} %`,
    "CPU of PostgreSQL": `${round(
      of(({ postgres }) => postgres),
      0,
    )} %`,
  };
}

type Row = Awaited<ReturnType<typeof benchNodes>>[number];

/** @param durable how the database is set up */
export function nodesResult(links: number, rows: readonly Row[], durable: string): Result {
  const two = rows.filter(({ nodes }) => nodes === 2);
  const aims = two.flatMap((row): Aim[] => {
    const where = `accounts: ${row.accounts}, ${row.wire}`;
    return [
      { what: `${where}, CPU of a link, two nodes / one`, measured: row["× CPU of one node"], most: 1.25, unit: "×" },
      { what: `${where}, conflicts of a step`, measured: row["conflicts/step"], most: 0.05, unit: "" },
      ...(row.accounts === "one"
        ? [{ what: `${where}, links a second, two nodes / one`, measured: row["× one node"], least: 1, unit: "×" }]
        : []),
    ];
  });
  return {
    bench: "nodes",
    title: "Two nodes on PostgreSQL",
    about: `${formatNumber(links)} links due, for one process and for two, in turns; medians of ${ROUNDS.spread}, with one account of ${ROUNDS.hot}; ${durable}. CPU is that of nodes and PostgreSQL, 100 % is one core.`,
    rows: Object.fromEntries(
      rows.map(({ accounts, wire, nodes, ...figures }) => [`accounts: ${accounts}, ${wire}, nodes: ${nodes}`, figures]),
    ),
    aims,
  };
}

interface Race {
  readonly url: string;
  readonly count: number;
  readonly field: Field;
  readonly links: number;
  readonly cpu: () => number;
}

interface Round {
  /** Links a second. */
  readonly rate: number;
  /** CPU of nodes and PostgreSQL for a link, in µs. */
  readonly cost: number;
  /** For each step. */
  readonly conflicts: number;
  /** Of each node. */
  readonly steps: readonly number[];
  /** Percent of one core. */
  readonly nodes: number;
  readonly postgres: number;
}

async function race({ url, count, field, links, cpu }: Race): Promise<Round> {
  const nodes: ChildProcess[] = [];
  const run = async (node: ChildProcess) => {
    node.send("go");
    return ((await once(node, "message")) as [NodeReport])[0];
  };
  try {
    for (let number = 0; number < count; number++) {
      const node = fork(new URL("./node.ts", import.meta.url), [url], { execArgv: ["--import", "tsx"] });
      nodes.push(node);
      await once(node, "message");
      await field.makeDue(WARM_UP);
      await run(node);
    }
    // The first claims of a round find no dead rows in the table, the last ones many.
    const due = await field.makeDue(links);
    await settle(field.url);
    const from = cpu();
    const start = performance.now();
    const reports = await Promise.all(nodes.map(run));
    const seconds = (performance.now() - start) / 1000;
    const served = cpu() - from;
    await field.proveDone();
    const sum = (name: keyof NodeReport) => reports.reduce((total, report) => total + report[name], 0);
    return {
      rate: due / seconds,
      cost: ((sum("cpu") + served) * 1000) / due,
      conflicts: (sum("tries") - sum("transactions")) / sum("steps"),
      steps: reports.map(({ steps }) => steps),
      nodes: sum("cpu") / 10 / seconds,
      postgres: served / 10 / seconds,
    };
  } finally {
    for (const node of nodes) node.kill();
  }
}

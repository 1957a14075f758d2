import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { formatNumber } from "../src/platform/format.ts";
import { Field } from "./field.ts";
import type { NodeReport } from "./node.ts";
import type { Aim, Result } from "./result.ts";
import { serverCpu, settle, withPostgres } from "./server.ts";
import { slowWire } from "./slow-wire.ts";
import { round } from "./support.ts";

/** Links that each process does before it is measured, so that a process more is not more code to compile. */
const WARM_UP = 50_000;

/** Two processes beside one, on the same PostgreSQL with so many links due; and again with a network delay of 1 ms. */
export function benchNodes(links: number) {
  return withPostgres(async (server) => {
    const rows = [];
    for (const hot of [false, true]) {
      const url = await server.create(hot ? "hot" : "spread");
      const field = await Field.make(url, links + 2 * WARM_UP, hot ? 1 : undefined);
      for (const wire of hot ? [0] : [0, 1]) {
        let alone = 0;
        let costAlone = 0;
        for (const nodes of [1, 2]) {
          const slow = wire > 0 ? await slowWire(url, wire) : null;
          const measured = { url: slow?.url ?? url, count: nodes, field, links, cpu: () => serverCpu(server.pid) };
          const { due, seconds, reports, served } = await race(measured);
          slow?.close();
          await field.proveDone();
          const sum = (name: keyof NodeReport) => reports.reduce((total, report) => total + report[name], 0);
          const rate = due / seconds;
          const cost = ((sum("cpu") + served) * 1000) / due;
          if (nodes === 1) {
            alone = rate;
            costAlone = cost;
          }
          rows.push({
            accounts: hot ? "one" : "one per project",
            wire: `${wire} ms`,
            nodes,
            "links/s": Math.round(rate),
            "× one node": round(rate / alone, 2),
            "steps of each": reports.map(({ steps }) => steps).join(" + "),
            "CPU/link µs": round(cost, 1),
            "× CPU of one node": round(cost / costAlone, 2),
            "conflicts/step": round((sum("tries") - sum("transactions")) / sum("steps"), 2),
            "CPU of nodes": `${round(sum("cpu") / 10 / seconds, 0)} %`,
            "CPU of PostgreSQL": `${round(served / 10 / seconds, 0)} %`,
          });
        }
      }
      await field.close();
      await server.drop(hot ? "hot" : "spread");
    }
    return rows;
  });
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
    about: `${formatNumber(links)} links due, for one process and for two; ${durable}. CPU is that of nodes and PostgreSQL, 100 % is one core.`,
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

async function race({ url, count, field, links, cpu }: Race) {
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
    return { due, seconds: (performance.now() - start) / 1000, reports, served: cpu() - from };
  } finally {
    for (const node of nodes) node.kill();
  }
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Field } from "./field.ts";
import type { NodeReport } from "./node.ts";
import { serverCpu, settle, withPostgres } from "./server.ts";
import { slowWire } from "./slow-wire.ts";
import { round } from "./support.ts";

/** Two processes beside one, on the same PostgreSQL with so many links due; and again with a network delay of 1 ms. */
export function benchNodes(links: number) {
  return withPostgres(async (server) => {
    const rows = [];
    for (const hot of [false, true]) {
      const url = await server.create(hot ? "hot" : "spread");
      const field = await Field.make(url, links, hot ? 1 : undefined);
      for (const wire of hot ? [0] : [0, 1]) {
        let alone = 0;
        let costAlone = 0;
        for (const nodes of [1, 2]) {
          const slow = wire > 0 ? await slowWire(url, wire) : null;
          // The first claims of a round find no dead rows in the table, the last ones many.
          const due = await field.makeDue(links);
          await settle(url);
          const { seconds, reports, served } = await race(slow?.url ?? url, nodes, () => serverCpu(server.pid));
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

async function race(url: string, count: number, cpu: () => number) {
  const nodes: ChildProcess[] = [];
  try {
    for (let number = 0; number < count; number++) {
      const node = fork(new URL("./node.ts", import.meta.url), [url], { execArgv: ["--import", "tsx"] });
      nodes.push(node);
      await once(node, "message");
    }
    const from = cpu();
    const start = performance.now();
    const reports = await Promise.all(
      nodes.map(async (node) => {
        node.send("go");
        return ((await once(node, "message")) as [NodeReport])[0];
      }),
    );
    return { seconds: (performance.now() - start) / 1000, reports, served: cpu() - from };
  } finally {
    for (const node of nodes) node.kill();
  }
}

import { join } from "node:path";
import { openDatabase } from "../db/open.ts";
import type { PostgresServer } from "../test/support/database/postgres-server.ts";
import { instantChecker } from "./checking.ts";
import { Field } from "./field.ts";
import { serverCpu, settle, walOf, withPostgres } from "./server.ts";
import { submissionsTo } from "./submission.ts";
import { benchStoring } from "./submitters.ts";
import { costOf, inFolder, median, round } from "./support.ts";

/** Links due in a round. */
const WORK = 100_000;

/** Measures both engines, one after the other in the same run, at each number of links. */
export function benchEngines(sizes: readonly number[], rounds: number) {
  return withPostgres((server) =>
    inFolder(async (folder) => {
      const submissions = [];
      for (const engine of ["sqlite", "postgres"]) {
        const empty = (name: string) =>
          engine === "sqlite" ? `file:${join(folder, `${name}.db`)}` : server.create(name);
        const { wall, cpu, stall } = await submissionsTo(await empty("submission"), rounds * 3);
        const stored = await benchStoring(await empty("storing"), rounds * 3);
        submissions.push({
          engine,
          "HTTP, wall": `${wall} ms`,
          "CPU of the node": `${cpu} ms`,
          "longest stall": `${stall} ms`,
          "database alone, wall": `${stored.wall} ms (${stored.least}–${stored.most})`,
        });
      }
      const checks = [];
      for (const links of sizes) {
        checks.push(await checking("sqlite", `file:${join(folder, `links-${links}.db`)}`, links, rounds));
        const name = `links_${links}`;
        checks.push(await checking("postgres", await server.create(name), links, rounds, server));
        await server.drop(name);
      }
      return { submissions, checks };
    }),
  );
}

async function checking(engine: string, url: string, links: number, rounds: number, server?: PostgresServer) {
  const started = performance.now();
  const field = await Field.make(url, links);
  const loaded = (performance.now() - started) / 1000;
  const size = await field.size();
  const db = await openDatabase(url, { checkpointPages: 4_000 });
  const checker = instantChecker(db);
  const runs: { wall: number; cpu: number; served: number; wal: number }[] = [];
  for (let number = 0; number <= rounds; number++) {
    const due = await field.makeDue(Math.min(WORK, links));
    if (server) await settle(url);
    const served = server ? serverCpu(server.pid) : 0;
    const wal = server ? await walOf(url) : 0;
    const cost = await costOf(() => checker.drain());
    const of = (value: number) => (value * 1000) / due;
    // The first round warms up the JIT compiler and the caches.
    if (number > 0) {
      runs.push({
        wall: of(cost.wall),
        cpu: of(cost.cpu),
        served: server ? of(serverCpu(server.pid) - served) : 0,
        wal: server ? ((await walOf(url)) - wal) / due : 0,
      });
    }
    await field.proveDone();
  }
  await db.close();
  await field.close();
  const walls = runs.map((run) => run.wall);
  const perSecond = (us: number) => Math.round(1_000_000 / us);
  return {
    engine,
    links,
    "load s": round(loaded),
    "bytes/link, links": round(size.links),
    "bytes/link, all": round(size.all),
    "links/s": perSecond(median(walls)),
    range: `${perSecond(Math.max(...walls))}–${perSecond(Math.min(...walls))}`,
    "CPU µs/link, node": round(median(runs.map((run) => run.cpu)), 2),
    "CPU µs/link, server": round(median(runs.map((run) => run.served)), 2),
    "WAL bytes/link": round(median(runs.map((run) => run.wal))),
  };
}

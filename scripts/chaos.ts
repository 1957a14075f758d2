import { parseArgs } from "node:util";
import { setup } from "../test/support/service/bundle-setup.ts";

const HELP = `Usage: npm run chaos [-- OPTIONS]

Runs several nodes on a PostgreSQL server of their own, with many clients, and kills, pauses and cuts them off at random,
the server too. Then proves that nothing was lost, doubled or overdrawn. After that it kills a single process many times, on
SQLite and on PostgreSQL, while it settles projects, is paid and delivers events, and proves that each event is there once and
has arrived. Last, ten processes at once spend the budget of one key on each database, and each is killed at random and
started again, while the limits are lowered and, in every second run, on a slow database; no limit may be passed, and no
approval used twice. At the very end, a process that runs a watch of a growing sitemap is killed at random: each page is submitted
once, and what the watch has spent is what the ledger says. Exit code 1 when something was wrong.

--seconds N      how long faults happen; default: 120; 0: none
--kills N        how often a single process is killed on each database; default: 60; 0: never
--budgets N      how many budgets are spent on each database; default: 200; 0: none
--watches N      how often a process that runs a watch is killed on each database; default: 30; 0: never
--database NAME  SQLite or PostgreSQL, where single processes are killed on one of them only
--seed N         the faults and submissions of an earlier run; default: another one each time
--nodes N        default: 3
--submitters N   clients at once; default: 6
--quiet          print the result only`;

const PROCESSES_OF_A_BUDGET = 10;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    kills: { type: "string", default: "60" },
    budgets: { type: "string", default: "200" },
    watches: { type: "string", default: "30" },
    seed: { type: "string" },
    database: { type: "string" },
    nodes: { type: "string", default: "3" },
    submitters: { type: "string", default: "6" },
    quiet: { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) console.log(HELP);
else if (values.database !== undefined && !["SQLite", "PostgreSQL"].includes(values.database)) {
  console.error("--database: must be SQLite or PostgreSQL.");
  process.exitCode = 2;
} else {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed);
  const startedAt = performance.now();
  const say = (line: string) => {
    if (!values.quiet) console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  };
  console.log(`seed ${seed}`);
  // The nodes are processes of the bundle, so it is made before they are looked for.
  await setup();
  const { chaos } = await import("../test/support/nodes/chaos.ts");
  const { onBothDatabases } = await import("../test/support/database/both-databases.ts");
  const { eventKills } = await import("../test/support/kills/events.ts");
  const { budgetKills } = await import("../test/support/kills/budgets.ts");
  const { watchKills } = await import("../test/support/kills/watches.ts");
  const [seconds, kills, budgets] = [Number(values.seconds), Number(values.kills), Number(values.budgets)];
  const [nodes, submitters] = [Number(values.nodes), Number(values.submitters)];
  const faulty = seconds === 0 ? [] : [await chaos({ seed, seconds, nodes, submitters, say })];
  const killEvents = (databaseUrl: string, database: string) => {
    say(`kills on ${database}`);
    return eventKills({ databaseUrl, seed, kills, say });
  };
  const killSpending = (databaseUrl: string, database: string) => {
    say(`budgets on ${database}`);
    return budgetKills({ databaseUrl, seed, runs: budgets, processes: () => PROCESSES_OF_A_BUDGET, say });
  };
  const killed = kills === 0 ? [] : await onBothDatabases(killEvents, values.database);
  const spent = budgets === 0 ? [] : await onBothDatabases(killSpending, values.database);
  const killWatches = (databaseUrl: string, database: string) => {
    say(`watches on ${database}`);
    return watchKills({ databaseUrl, seed, kills: Number(values.watches), say });
  };
  const watched = values.watches === "0" ? [] : await onBothDatabases(killWatches, values.database);
  const reports = [...faulty, ...killed, ...spent, ...watched];
  for (const { problems: _, ...figures } of reports) console.log(JSON.stringify(figures, null, 2));
  const problems = reports.flatMap((report) => report.problems);
  for (const problem of problems.slice(0, 50)) console.error(problem);
  console.log(problems.length === 0 ? "Everything adds up." : `${problems.length} problems; seed ${seed}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

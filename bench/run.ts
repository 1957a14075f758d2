import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/build/build.mjs";
import { formatNumber } from "../src/platform/format.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { benchA2a } from "./a2a.ts";
import { benchChecker } from "./checker.ts";
import { benchCheckerEvents } from "./checker-events.ts";
import { benchClaims } from "./claims.ts";
import { benchCoverage } from "./coverage.ts";
import { benchDocs } from "./docs.ts";
import { benchEngines } from "./engines.ts";
import { benchIdentify } from "./identify.ts";
import { benchInstall } from "./install.ts";
import { benchLife } from "./life.ts";
import { benchMcp } from "./mcp.ts";
import { benchLargeWatch } from "./million-pages.ts";
import { benchMove } from "./move.ts";
import { benchNodes, nodesResult } from "./nodes.ts";
import { benchPages } from "./pages.ts";
import { benchQueue } from "./queue.ts";
import { benchGrowth } from "./reads/growth.ts";
import { benchMemory } from "./reads/memory.ts";
import { benchReads, benchReadsOnPostgres } from "./reads/reads.ts";
import { READS, type ReadName } from "./reads/samples.ts";
import { writeReport } from "./report.ts";
import { show } from "./result.ts";
import { SERVER_SETTINGS } from "./server.ts";
import { benchSitemap } from "./sitemap.ts";
import { MIX } from "./sitemap-document.ts";
import { benchStalls } from "./stalls.ts";
import { benchStart } from "./start.ts";
import { benchSubmission } from "./submission.ts";
import { benchSubmitters } from "./submitters.ts";
import { benchSubscriptions, SUBSCRIPTIONS } from "./subscriptions.ts";
import { round } from "./support.ts";
import { benchVisits } from "./visits.ts";
import { benchWatches } from "./watches.ts";
import { benchWebhooks } from "./webhooks.ts";
import { simulateYear } from "./year.ts";
import { chartOfAYear } from "./year-chart.ts";

/**
 * `npm run bench [-- submission | sitemap | identify | mcp | a2a | reads [NAME …] | growth | webhooks | subscriptions | stalls | start | pages | docs |
 * visits | coverage | checker [LINKS …] | watches [COUNT]]`: what Beckon's main job costs, each figure with its aim; `memory [REQUESTS]`, when it is named.
 * `report` writes docs/performance.md from the latest run of each in this folder; what was not run here stays as it was.
 *
 * Machines differ and are shared: the ratios are what to compare.
 *
 * On PostgreSQL, which they start themselves (docs/scale.md), and only when they are named:
 * `install | reads-postgres [NAME …] | engines [--large] | nodes [LINKS] | queue [LINKS] | submitters [COUNT] | life [LINKS] | claims | move [LINKS]`; and `year`, which only
 * calculates, and draws docs/scale.svg.
 */
const [what, ...sizes] = process.argv.slice(2);
/** The reads that are named; all of them where none is. */
const readsIn = (words: readonly string[]) => {
  const named = words.filter((word) => Object.hasOwn(READS, word));
  return (named.length > 0 ? named : Object.keys(READS)) as ReadName[];
};
/** A column for each tenth. */
const memoryRow = (figures: readonly number[]) =>
  Object.fromEntries(figures.map((figure, at) => [`${(at + 1) * 10} %`, figure]));
const durable = `durable, on a PostgreSQL of its own with ${SERVER_SETTINGS.join(", ")}`;

if (!what || what === "submission") {
  const { wall, cpu, parse, cpuPerParse, stall, floor, perFloor } = await benchSubmission(21);
  show({
    bench: "submission",
    title: "A submission",
    about: "20,000 URLs over HTTP, 10,000 of them kept; durable, on SQLite. Medians of 21, in ms, and of their ratios.",
    rows: {
      "wall at the client": { ms: wall },
      "CPU of the server": { ms: cpu },
      "JSON.parse of the body": { ms: parse },
      "CPU of bare rows": { ms: floor },
      "longest stall of the event loop": { ms: stall },
    },
    aims: [
      { what: "CPU / JSON.parse of the body", measured: cpuPerParse, most: 6, unit: "×" },
      { what: "CPU / bare rows", measured: perFloor, most: 1.3, unit: "×" },
      { what: "longest stall of the event loop", measured: stall, most: 5, unit: "ms" },
    ],
  });
}

if (!what || what === "sitemap") {
  // Every contender is plain JavaScript.
  const { rows, megabytes, bomb } = await benchSitemap(7, 5_000);
  show({
    bench: "sitemap",
    title: "A sitemap",
    about: [
      `50,000 URLs, ${megabytes.plain} MB, ${megabytes.packed} MB as gzip: ${MIX}. Fetched, read and deduplicated by us; fetched and`,
      "read by the others, each in a process of its own. Least CPU of 5 s, and of 7 readings at least; most memory of 7.",
      `A bomb is ${Math.round(bomb.bytes / 1000)} KB that inflate to 300 MB: ours takes at most ${bomb.peak} MB for it.`,
    ].join(" "),
    rows: Object.fromEntries(rows.map(({ document, contender, ...row }) => [`${document}, ${contender}`, row])),
    aims: [
      ...rows
        .filter(({ contender }) => contender === "sitemapper")
        .flatMap((row) => [
          { what: `CPU of sitemapper / ours, ${row.document}`, measured: row["× our CPU"], least: 10, unit: "×" },
          {
            what: `our memory / sitemapper's, ${row.document}`,
            measured: row["our memory / its"],
            most: 0.35,
            unit: "×",
          },
        ]),
      { what: `a bomb is refused (${bomb.refused})`, measured: bomb.wall, most: 500, unit: "ms" },
    ],
  });
}

if (!what || what === "visits") {
  const { rows, parts, packed } = await benchVisits();
  show({
    bench: "visits",
    title: "Access logs",
    about:
      "Lines of the combined format, a fifth of them of crawlers, read and their visits to 10,000 links stored; durable, on SQLite, in a process of its own.",
    rows,
    aims: [
      { what: "100 MB", measured: round(parts.wall / 1000), most: 20, unit: "s" },
      { what: "more memory for 100 MB", measured: round(parts.peak - parts.before), most: 120, unit: "MB" },
      {
        what: "more memory for one body of 64 MB",
        measured: round(packed.peak - packed.before),
        most: 120,
        unit: "MB",
      },
    ],
  });
}

if (!what || what === "coverage") {
  const { pages, days, readMs, foldedPerSecond } = await benchCoverage(50);
  show({
    bench: "coverage",
    title: "Coverage",
    about:
      "100,000 pages of one host, each with two verdicts over 400 days, counted and then read for all these days; on SQLite, in this process, without HTTP.",
    rows: { "one host": { pages, days, "ms a reading": readMs, "verdicts counted a second": foldedPerSecond } },
    aims: [{ what: "a reading", measured: readMs, most: 10, unit: "ms" }],
  });
}

if (!what || what === "identify") {
  const figures = await benchIdentify(100_000, 20_000, 15);
  show({
    bench: "identify",
    title: "Authentication",
    about: "One `identify()` among 100,000 grants and 100,000 API keys in a file, in µs. Medians of 15.",
    rows: Object.fromEntries(Object.entries(figures).map(([name, { cpu, wall }]) => [name, { CPU: cpu, wall }])),
    aims: Object.entries(figures).map(([what, { cpu }]) => ({ what, measured: cpu, most: 25, unit: "µs CPU" })),
  });
}

if (!what || what === "reads") {
  await build();
  show(await benchReads(21, 1_500, readsIn(sizes)));
}

if (what === "reads-postgres") {
  await build();
  show(await benchReadsOnPostgres(9, 1_000, readsIn(sizes)));
}

if (!what || what === "webhooks") {
  const { perSecond, first, median, last, cpuUs, relayUs, megabytes } = await benchWebhooks();
  const { figures, perBare } = await benchCheckerEvents(15);
  const [without, written, beside] = [
    figures["events not written"],
    figures["events written"],
    figures["webhooks delivered beside"],
  ];
  show({
    bench: "webhooks",
    title: "Webhooks",
    about: [
      "10,000 deliveries to 100 receivers, of which ten never answer; durable, on SQLite. The sender is one process, the receivers",
      "another. Then the checker over 200,000 links in steps of 500, with events and without, and while the same process sends",
      "10,000 such messages; medians of 15, in turns, and of their ratios.",
    ].join(" "),
    rows: {
      "deliveries a second, of those that arrive": { figure: perSecond },
      "s until the first receiver has all of its own": { figure: first },
      "s until half of them have": { figure: median },
      "s until the last one has": { figure: last },
      "µs CPU for a delivery": { figure: cpuUs },
      "µs CPU to queue one": { figure: relayUs },
      "MB more resident memory": { figure: megabytes },
      "links/s of the checker, no events written": { figure: without.linksPerSecond },
      "links/s of the checker, events written": { figure: written.linksPerSecond },
      "links/s of the checker, webhooks delivered beside": { figure: beside.linksPerSecond },
      "µs CPU for a link, no events written": { figure: without.cpuUs },
      "µs CPU for a link, events written": { figure: written.cpuUs },
    },
    aims: [
      { what: "the last receiver / half of them", measured: round(last / median, 2), most: 2, unit: "×" },
      { what: "CPU of the checker, events written / not written", measured: perBare, most: 1.1, unit: "×" },
    ],
  });
}

if (!what || what === "subscriptions") {
  const { without, with: beside } = await benchSubscriptions(7);
  show({
    bench: "subscriptions",
    title: "Subscriptions to events",
    about: `The checker over 200,000 links in steps of 500 while the same process hands its events on, without subscriptions to MCP Events and with ${formatNumber(SUBSCRIPTIONS)} of 100 accounts, none of which is about these projects; durable, on SQLite. Medians of 7, in turns.`,
    rows: {
      "links/s of the checker, no subscriptions": { figure: without.linksPerSecond },
      "links/s of the checker, with subscriptions": { figure: beside.linksPerSecond },
      "µs CPU for a link, no subscriptions": { figure: without.cpuUs },
      "µs CPU for a link, with subscriptions": { figure: beside.cpuUs },
    },
    aims: [
      {
        what: "CPU of the checker, with subscriptions / without",
        measured: round(beside.cpuUs / without.cpuUs, 2),
        most: 1.1,
        unit: "×",
      },
    ],
  });
}

if (!what || what === "watches") {
  const count = Number(sizes[0] ?? 10_000);
  const large = await benchLargeWatch(20);
  const [reading, adding] = [large.first, large.withNew];
  const stall = Math.max(...Object.values(large).map((run) => run.stall));
  const { first, notModified, same, withNew, bytesPerPage } = await benchWatches(count);
  show({
    bench: "watches",
    title: "Watches",
    about: `${formatNumber(count)} hourly watches of 1,000 pages each in one process; durable, on SQLite. All of them are answered 304, 1,000 are read as a whole. Then one watch of 990,000 pages in 20 sitemaps. The sitemaps come from memory: CPU of connections is not in it.`,
    rows: {
      "ms CPU of a first run, which takes all pages as known": { figure: first },
      "ms CPU of a run that is answered 304": { figure: notModified },
      "ms CPU of a run that reads everything and finds nothing": { figure: same },
      "ms CPU of a run that submits 5 new pages": { figure: withNew },
      "bytes of the database for a page": { figure: bytesPerPage },
      "990,000 pages: ms CPU of a first run": { figure: reading.cpu },
      "990,000 pages: ms CPU of a run with 5,000 new ones": { figure: adding.cpu },
      "990,000 pages: most ms CPU between two turns of the event loop": { figure: stall },
      "990,000 pages: MB more resident memory": { figure: reading.megabytes },
    },
    aims: [
      { what: "a run that is answered 304", measured: notModified, most: 1, unit: "ms CPU" },
      { what: "a known page", measured: bytesPerPage, most: 24, unit: "bytes" },
      { what: "990,000 pages, between two turns of the event loop", measured: stall, most: 50, unit: "ms CPU" },
      { what: "990,000 pages, more resident memory", measured: reading.megabytes, most: 400, unit: "MB" },
    ],
  });
}

if (!what || what === "growth") {
  const { rows, first, last } = await benchGrowth(7);
  show({
    bench: "growth",
    title: "Growth of reads",
    about:
      "CPU of each read in µs, from the database without HTTP, as an account and its newest project grow. Medians of 7.",
    rows,
    aims: Object.entries(rows).map(([read, row]) => {
      const measured = round(row[last]! / row[first]!, 2);
      return { what: `${read} of ${last} / of ${first}`, measured, most: 1.3, unit: "×" };
    }),
  });
}

if (what === "install") {
  const { starts, packages } = await benchInstall();
  show({
    bench: "install",
    title: "Installation",
    about:
      "`npm start` on a fresh clone until it answers, and the package of `npm run pack` until npm has installed it, each with an empty home and an empty cache of npm. Megabytes on disk beside the sources; on Node.js 20 the newer one that it brings is among them.",
    rows: {
      ...Object.fromEntries(Object.entries(starts).map(([node, row]) => [`npm start, Node.js ${node}`, { ...row }])),
      ...Object.fromEntries(
        Object.entries(packages).map(([node, row]) => [`the package, Node.js ${node}`, { ...row }]),
      ),
    },
    aims: [
      ...Object.entries(starts).flatMap(([node, { seconds, MB }]) => [
        { what: `npm start, Node.js ${node}`, measured: seconds, most: node === "20" ? 45 : 35, unit: "s" },
        { what: `npm start, Node.js ${node}`, measured: MB, most: node === "20" ? 450 : 260, unit: "MB" },
      ]),
      ...Object.entries(packages).flatMap(([node, { seconds, MB }]) => [
        { what: `the package, Node.js ${node}`, measured: seconds, most: 6, unit: "s" },
        { what: `the package, Node.js ${node}`, measured: MB, most: 45, unit: "MB" },
      ]),
    ],
  });
}

if (what === "memory") {
  await build();
  const requests = Number(sizes[0] ?? 2_000_000);
  const resident = await benchMemory(requests, "resident");
  const live = await benchMemory(requests, "live");
  const growth = (samples: readonly number[]) => round(samples[9]! / samples[4]!, 2);
  show({
    bench: "memory",
    title: "Memory",
    about: `A served process over ${formatNumber(requests)} reads by 12,000 keys, after each tenth of them: its resident memory, with garbage that is not collected yet; and of another process what is live, after a collection each time.`,
    rows: { "resident, MB": memoryRow(resident), "live, MB": memoryRow(live) },
    aims: [
      { what: "resident, at the end / half-way", measured: growth(resident), most: 1.05, unit: "×" },
      { what: "live, at the end / half-way", measured: growth(live), most: 1.05, unit: "×" },
    ],
  });
}

if (!what || what === "stalls") {
  await build();
  const { rows, addresses } = await benchStalls();
  const waits = Object.entries(rows).map(([door, { worst }]) => ({
    what: door,
    measured: worst,
    most: 50,
    unit: "ms",
  }));
  const memory = Object.entries(rows).map(([door, row]) => ({
    what: `${door}, memory / size`,
    measured: row["memory / size"],
    most: 3,
    unit: "×",
  }));
  show({
    bench: "stalls",
    title: "How long one caller makes others wait",
    about:
      "The longest turn of the event loop, in ms of CPU, while hostile JSON of each shape and size comes through each door with a credential; and the memory that bodies of 4 and 80 MB took, for each byte.",
    rows,
    aims: [
      ...waits,
      ...memory,
      ...Object.entries(addresses).map(([name, ms]) => ({ what: name, measured: ms, most: 50, unit: "ms" })),
    ],
  });
}
if (!what || what === "start") {
  await build();
  const links = 10_000_000;
  const { empty, large } = await benchStart(7, links);
  const withLinks = `with ${formatNumber(links)} links`;
  show({
    bench: "start",
    title: "Start and memory at rest",
    about:
      "From the start of the built program, on a sandbox's database that exists, to its first answer; and its resident memory five seconds later. Medians of 7.",
    rows: {
      "first answer, ms": empty.wallMs,
      "CPU until then, ms": empty.cpuMs,
      "resident memory, MB": empty.megabytes,
      [`first answer ${withLinks}, ms`]: large.wallMs,
      [`resident memory ${withLinks}, MB`]: large.megabytes,
    },
    aims: [
      { what: "first answer", measured: empty.wallMs.median, most: 700, unit: "ms" },
      { what: "resident memory", measured: empty.megabytes.median, most: 110, unit: "MB" },
      { what: `resident memory ${withLinks}`, measured: large.megabytes.median, most: 150, unit: "MB" },
    ],
  });
}

if (!what || what === "mcp") {
  await build();
  const rows = await benchMcp(21, 1_500);
  show({
    bench: "mcp",
    title: "MCP",
    about:
      "CPU in µs of a tools/call of get_account over HTTP, identified, counted and read by the product as `npm start` runs it, beside the SDK's own server whose tool does nothing. Medians of 21 rounds, and of their ratios.",
    rows: Object.fromEntries(rows.map(({ era, ours, peer }) => [era, { ours, "the SDK's server": peer }])),
    aims: rows.map(({ era, ratio }) => ({ what: `${era} / the SDK's server`, measured: ratio, most: 0.5, unit: "×" })),
  });
}

if (!what || what === "a2a") {
  await build();
  const { ours, peer, ratio } = await benchA2a(21, 750);
  show({
    bench: "a2a",
    title: "A2A",
    about:
      "CPU in µs of a SendMessage of get_account, kept as a task by the product as `npm start` runs it, beside the SDK's default handler with its own task store in SQLite, whose agent does nothing; both are durable. Medians of 21 rounds, and of their ratios.",
    rows: { SendMessage: { ours, "the SDK's handler": peer } },
    aims: [{ what: "SendMessage / the SDK's handler", measured: ratio, most: 0.6, unit: "×" }],
  });
}

if (!what || what === "pages") {
  const { costs, chart, loads } = await benchPages(9, 30);
  console.log(
    "Pages of an account with 20,000 projects, one of them of 10,000 URLs; SQLite. Medians of 9 rounds of 30.",
  );
  const aims: Record<string, string> = { "an unchanged project, asked by its ETag": "≤ 1 ms CPU" };
  const row = ([name, { cpu, wall }]: [string, { cpu: number; wall: number }]) => {
    const aim = aims[name] ?? (/10,000 searched|20,000/.test(name) ? "≤ 50 ms" : "");
    return [name, { CPU: `${cpu} ms`, wall: `${wall} ms`, aim }] as const;
  };
  console.table(Object.fromEntries(Object.entries(costs).map(row)));
  console.log(`The chart of a project beyond its query: ${chart} ms (aim ≤ 2 ms).`);
  console.log(
    "Largest contentful paint at 1.6 Mbit/s, 150 ms latency and a CPU four times slower. Medians of 5; aim ≤ 1200 ms.",
  );
  console.table(loads);
}

if (!what || what === "docs") {
  await build();
  const { server, browser } = await benchDocs(4, 5);
  console.log("Docs: what the server does once, in ms.");
  console.table(server);
  console.log(
    "From a letter in the search field to its results, on a CPU four times slower; the first reads the index.",
  );
  console.table([{ ...browser, aim: "≤ 100 ms" }]);
}

if (!what || what === "checker") {
  const counts = sizes.length > 0 ? sizes.map(Number) : [10_000, 1_000_000, 10_000_000];
  const rows = [];
  for (const links of counts) rows.push(await benchChecker(links, 200_000, links < 100_000 ? 31 : 7));
  const slowest = Math.min(...rows.map(({ linksPerSecond }) => linksPerSecond));
  const turn = Math.max(...rows.map(({ turnP99Ms }) => turnP99Ms));
  const small = await benchChecker(10_000, 10_000, 15, 5);
  show({
    bench: "checker",
    title: "The checker",
    about:
      "Half the links change, evidence of all is written; durable, on SQLite. Per link, medians. Beside bare statements that read and write the same rows (bench/checker-floor.ts), round by round. Turns of the event loop in CPU time of its thread, those of 1 ms and more.",
    rows: Object.fromEntries(rows.map(({ links, ...figures }) => [`${formatNumber(links)} links`, figures])),
    aims: [
      { what: "slowest", measured: slowest, least: 250_000, unit: "links/s" },
      {
        what: `cost per link at ${formatNumber(counts.at(-1)!)} / at ${formatNumber(counts[0]!)}`,
        measured: round(rows.at(-1)!.cpuUs / rows[0]!.cpuUs, 2),
        most: 1.2,
        unit: "×",
      },
      { what: "turns of the event loop, p99", measured: turn, most: 8, unit: "ms CPU" },
      { what: "a step of 5 links, CPU", measured: small.cpuPerStepMs, most: 0.5, unit: "ms" },
    ],
  });
}

if (what === "engines") {
  const counts = [10_000, 1_000_000, ...(sizes.includes("--large") ? [10_000_000] : [])];
  const { submissions, checks } = await benchEngines(counts, 5);
  console.log(`A submission of 10,000 links, of 20,000 URLs over HTTP; ${durable}. Medians of 15.`);
  console.table(submissions);
  console.log(
    "The checker, with a verifier that answers immediately: half of the links of each step change. Medians of 5.",
  );
  console.table(checks);
}

if (what === "nodes") {
  const links = Number(sizes[0] ?? 600_000);
  show(nodesResult(links, await benchNodes(links), durable));
}

if (what === "queue") {
  const links = Number(sizes[0] ?? 200_000);
  console.log(`${links} links looked up once, half of them change: beside pg-boss, a job for each; ${durable}.`);
  console.table(await benchQueue(links, 2));
}

if (what === "submitters") {
  console.log(`Submissions of 100 links at once, database alone; ${durable}.`);
  console.table(await benchSubmitters(Number(sizes[0] ?? 600)));
}

if (what === "claims") {
  console.log(`A claim of 12 steps out of a queue; ${durable}.`);
  console.table(await benchClaims([20_000, 200_000, 1_000_000]));
}

if (what === "move") {
  const links = Number(sizes[0] ?? 1_000_000);
  console.log(`beckon move: a SQLite file of ${links} links into PostgreSQL, proved; ${durable}.`);
  console.log(JSON.stringify(await benchMove(links), null, 2));
}

if (what === "life") {
  const links = Number(sizes[0] ?? 200_000);
  console.log(`The whole life of ${links} links, all per link: the input of \`year\`; ${durable}.`);
  console.log(JSON.stringify(await benchLife(links), null, 2));
}

if (what === "report") {
  const missing = writeReport();
  console.log("docs/performance.md is written.");
  if (missing.length > 0) console.log(`Not measured in this folder: ${missing.join(", ")}`);
}

if (what === "year") {
  const { tables } = simulateYear();
  for (const { title, rows } of tables) {
    console.log(title);
    console.table(rows);
  }
  writeFileSync(join(packageRoot, "docs/scale.svg"), chartOfAYear());
}

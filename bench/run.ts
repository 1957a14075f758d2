import { writeFileSync } from "node:fs";
import { join } from "node:path";
// @ts-expect-error: plain JavaScript, which runs before there is a compiler
import { build } from "../scripts/prepare.mjs";
import { packageRoot } from "../src/platform/package-root.ts";
import { benchA2a } from "./a2a.ts";
import type { CallCost } from "./calls.ts";
import { benchChecker } from "./checker.ts";
import { benchClaims } from "./claims.ts";
import { benchDocs } from "./docs.ts";
import { benchEngines } from "./engines.ts";
import { benchIdentify } from "./identify.ts";
import { benchLife } from "./life.ts";
import { benchMcp } from "./mcp.ts";
import { benchMove } from "./move.ts";
import { benchNodes } from "./nodes.ts";
import { benchPages } from "./pages.ts";
import { benchQueue } from "./queue.ts";
import { benchReads } from "./reads/reads.ts";
import type { ReadName } from "./reads/samples.ts";
import { SERVER_SETTINGS } from "./server.ts";
import { benchSitemap } from "./sitemap.ts";
import { MIX } from "./sitemap-document.ts";
import { benchSubmission } from "./submission.ts";
import { benchSubmitters } from "./submitters.ts";
import { round } from "./support.ts";
import { simulateYear } from "./year.ts";
import { chartOfAYear } from "./year-chart.ts";

/**
 * `npm run bench [-- submission | sitemap | identify | mcp | a2a | reads [NAME …] | pages | docs | checker [LINKS …]]`: what Beckon's main job costs, each figure
 * beside its aim. Machines differ and are shared: the ratios are what to compare.
 *
 * On PostgreSQL, which they start themselves (docs/scale.md), and only when they are named:
 * `engines [--large] | nodes [LINKS] | queue [LINKS] | submitters [COUNT] | life [LINKS] | claims | move [LINKS]`; and `year`, which only
 * calculates, and draws docs/scale.svg.
 */
const [what, ...sizes] = process.argv.slice(2);
const durable = `durable, on a PostgreSQL of its own with ${SERVER_SETTINGS.join(", ")}`;

if (!what || what === "submission") {
  const { wall, cpu, parse, cpuPerParse, stall, floor, perFloor } = await benchSubmission(21);
  console.log("Submission of 20,000 URLs over HTTP, 10,000 of them kept; durable. Medians of 21.");
  console.table({
    "wall at the client": { measured: `${wall} ms`, aim: "" },
    "CPU of the server": { measured: `${cpu} ms`, aim: "" },
    "JSON.parse of the body": { measured: `${parse} ms`, aim: "" },
    "CPU / JSON.parse": { measured: `${cpuPerParse} ×`, aim: "≤ 6 ×" },
    "CPU of bare rows": { measured: `${floor} ms`, aim: "" },
    "CPU / bare rows": { measured: `${perFloor} ×`, aim: "≤ 1.3 ×" },
    "longest stall of the event loop": { measured: `${stall} ms`, aim: "≤ 5 ms" },
  });
}

if (!what || what === "sitemap") {
  // Every contender is plain JavaScript: ours as it is served, from dist/.
  build();
  const { rows, megabytes, bomb } = await benchSitemap(7, 5_000);
  console.log(`A sitemap of 50,000 URLs, ${megabytes.plain} MB, ${megabytes.packed} MB as gzip: ${MIX}.`);
  console.log(
    "Fetched, read and deduplicated by us; fetched and read by the others, each in a process of its own. Least CPU of 5 s, and of 7 readings at least; most memory of 7.",
  );
  console.table(rows);
  console.log("Aims: sitemapper at least 10 × our CPU; our memory at most 0.35 × sitemapper's.");
  console.log(
    `A bomb of 300 MB in ${Math.round(bomb.bytes / 1000)} KB: ${bomb.refused} after ${bomb.wall} ms, at most ${bomb.peak} MB (aim < 500 ms).`,
  );
}

if (!what || what === "identify") {
  const figures = await benchIdentify(100_000, 20_000, 15);
  console.log("Authentication: one identify() among 100,000 grants and 100,000 API keys in a file. Medians of 15.");
  console.table(
    Object.fromEntries(
      Object.entries(figures).map(([name, { cpu, wall }]) => [
        name,
        { CPU: `${cpu} µs`, wall: `${wall} µs`, aim: "≤ 25 µs CPU" },
      ]),
    ),
  );
}

if (!what || what === "reads") {
  build();
  const names = sizes.length > 0 ? (sizes as ReadName[]) : undefined;
  console.log("Reads over REST: the product as `npm start` runs it, beside servers that do the same work.");
  console.log("CPU of the server's process for a call, in µs: median of 9 rounds of 2,000 (least–most).");
  const text = ({ median, least, most }: CallCost) => `${round(median, 0)} (${round(least, 0)}–${round(most, 0)})`;
  const rows = await benchReads(9, 2_000, names);
  console.table(
    Object.fromEntries(
      rows.map(({ read, ours, peers, perConstant, perFastify }) => [
        read,
        {
          ours: text(ours),
          ...Object.fromEntries(Object.entries(peers).map(([name, cost]) => [name, text(cost)])),
          "/ node:http": `${perConstant} ×`,
          "/ Fastify": `${perFastify} ×`,
        },
      ]),
    ),
  );
  console.log("Aims: get_account, get_pricing ≤ 1.7 × node:http, list_links ≤ 3 ×; every read ≤ 0.8 × Fastify.");
}

if (!what || what === "mcp") {
  console.log(
    "MCP: tools/call of get_account over HTTP, beside the SDK's own server whose tool does nothing. Medians of 9.",
  );
  const rows = await benchMcp(9, 3_000);
  console.table(
    rows.map(({ era, ours, peer, ratio }) => ({
      era,
      ours: `${ours} µs CPU`,
      "the SDK's server": `${peer} µs CPU`,
      ratio: `${ratio} ×`,
      aim: "≤ 0.6 ×",
    })),
  );
}

if (!what || what === "a2a") {
  const { ours, peer, ratio } = await benchA2a(9, 1_500);
  console.log(
    "A2A: SendMessage of get_account, kept as a task, beside the SDK's default handler whose agent does nothing.",
  );
  console.log("Its task store is the SDK's own, in SQLite; both are durable. Medians of 9.");
  console.table([
    { ours: `${ours} µs CPU`, "the SDK's handler": `${peer} µs CPU`, ratio: `${ratio} ×`, aim: "≤ 0.6 ×" },
  ]);
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
  build();
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
  console.log("Checker: half the links change, evidence of all is written; durable. Medians.");
  const rows = [];
  for (const links of counts) rows.push(await benchChecker(links, 200_000, links < 100_000 ? 31 : 7));
  console.table(rows);
  const ratio = round(rows.at(-1)!.cpuUs / rows[0]!.cpuUs, 2);
  console.log(
    `Cost per link at ${counts.at(-1)} links: ${ratio} × that at ${counts[0]} (aim ≤ 1.2 ×); aim ≥ 250,000 links/s, turns ≤ 8 ms.`,
  );
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
  const links = Number(sizes[0] ?? 1_000_000);
  console.log(`${links} links due, for one process and for two; ${durable}. 100 % is one core.`);
  console.table(await benchNodes(links));
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

if (what === "year") {
  const { tables } = simulateYear();
  for (const { title, rows } of tables) {
    console.log(title);
    console.table(rows);
  }
  writeFileSync(join(packageRoot, "docs/scale.svg"), chartOfAYear());
}

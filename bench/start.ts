import { fork } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../src/platform/package-root.ts";
import { askProcess } from "./calls.ts";
import { inFolder, median, round } from "./support.ts";

/** How long the process is left alone before its memory is read, in ms. */
const REST_MS = 5_000;

/**
 * From the start of the built program on a database that exists to its first answer, in ms; and its resident memory afterwards,
 * at rest, in MB. Medians of `runs`.
 */
export async function benchStart(runs: number) {
  return inFolder(async (folder) => {
    const figures = [];
    for (let run = 0; run <= runs; run++) figures.push(await startOnce(`file:${join(folder, "start.db")}`));
    // The first run makes the database.
    const all = figures.slice(1);
    const of = (name: "wallMs" | "cpuMs" | "megabytes") => {
      const values = all.map((one) => one[name]);
      return { median: round(median(values), 0), least: Math.min(...values), most: Math.max(...values) };
    };
    return { wallMs: of("wallMs"), cpuMs: of("cpuMs"), megabytes: of("megabytes") };
  });
}

async function startOnce(url: string) {
  const startedAt = performance.now();
  const server = fork(join(packageRoot, "dist/src/main.js"), ["serve", "--json"], {
    execArgv: ["--import", new URL("./report-cpu.mjs", import.meta.url).href],
    env: { ...process.env, PORT: "0", DATABASE_URL: url, LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
  const { address } = JSON.parse((await lines.next()).value) as { address: string };
  const response = await fetch(`${address}/api/v1/pricing`);
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
  const wallMs = Math.round(performance.now() - startedAt);
  const { cpuUs } = await askProcess(server, "read");
  await sleep(REST_MS);
  const { rssBytes } = await askProcess(server, "read");
  const exited = new Promise((resolve) => server.once("exit", resolve));
  server.kill();
  await exited;
  return { wallMs, cpuMs: Math.round(cpuUs / 1000), megabytes: Math.round(rssBytes / 1e6) };
}

import { fork } from "node:child_process";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { askProcess } from "./calls.ts";
import { buildProjects } from "./checker.ts";
import { inFolder, median, round } from "./support.ts";

/** How long the process is left alone before its memory is read, in ms. */
const REST_MS = 5_000;

/**
 * From the start of the built program on a database that exists to its first answer, in ms; and its resident memory afterwards,
 * at rest, in MB. Medians of `runs`, with an empty database and with one of so many links.
 */
export async function benchStart(runs: number, links: number) {
  return inFolder(async (folder) => {
    const [empty, large] = [join(folder, "empty.db"), join(folder, "large.db")];
    // The first run makes the database, too.
    await startOnce(`file:${empty}`);
    await fill(large, links);
    const figures = { empty: [] as Start[], large: [] as Start[] };
    for (let run = 0; run < runs; run++) {
      figures.empty.push(await startOnce(`file:${empty}`));
      figures.large.push(await startOnce(`file:${large}`));
    }
    const of = (all: readonly Start[], name: keyof Start) => {
      const values = all.map((one) => one[name]);
      return { median: round(median(values), 0), least: Math.min(...values), most: Math.max(...values) };
    };
    const summary = (all: readonly Start[]) => ({
      wallMs: of(all, "wallMs"),
      cpuMs: of(all, "cpuMs"),
      megabytes: of(all, "megabytes"),
    });
    return { empty: summary(figures.empty), large: summary(figures.large) };
  });
}

type Start = Awaited<ReturnType<typeof startOnce>>;

/** Makes a database of so many links that are being checked, and waits until the disk has it. */
async function fill(path: string, links: number): Promise<void> {
  const db = await openDatabase(`file:${path}`);
  await db.tx((tx) => createAccount(tx, { email: "bench@example.com", now: Date.now() }));
  await db.close();
  buildProjects(path, links);
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
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

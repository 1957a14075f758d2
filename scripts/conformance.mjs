// Runs the official MCP conformance suite against this tree: `npm run conformance`.
//
// The suite needs Node 22, so both are installed once into the user's cache folder, never into the project.
// Failures are expected only where test/conformance/*.yml says so; any other, and any that no longer fails,
// makes the exit code 1.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SUITE = "0.2.0-alpha.12";
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beckon", `conformance-${SUITE}`);
const LONGEST_RUN = 5 * 60_000;

const plain = (scenario, revision) => ({
  name: `product, ${scenario} ${revision}`,
  server: "plain",
  select: ["--scenario", scenario, "--spec-version", revision],
  baseline: "plain",
});

const RUNS = [
  ...["2025-11-25", "2026-07-28"].map((revision) => ({
    name: `fixtures, all of ${revision}`,
    server: "fixtures",
    select: ["--requirements", revision],
    baseline: revision,
  })),
  plain("server-initialize", "2025-11-25"),
  plain("tools-list", "2025-11-25"),
  plain("tools-list", "2026-07-28"),
  plain("dns-rebinding-protection", "2025-11-25"),
  plain("dns-rebinding-protection", "2026-07-28"),
  plain("http-header-validation", "2026-07-28"),
  plain("caching", "2026-07-28"),
  plain("server-stateless", "2026-07-28"),
];

install();
const results = [];
for (const kind of ["fixtures", "plain"]) {
  const server = await startServer(kind);
  for (const run of RUNS.filter((one) => one.server === kind))
    results.push({ name: run.name, ...suite(run, server.url) });
  await server.stop();
}
report(results);

function install() {
  if (existsSync(join(cache, "node_modules", "@modelcontextprotocol", "conformance", "package.json"))) return;
  mkdirSync(cache, { recursive: true });
  console.log(`Installing the conformance suite ${SUITE} and Node 22 into ${cache}`);
  const packages = ["node@22", `@modelcontextprotocol/conformance@${SUITE}`];
  const args = ["install", "--prefix", cache, "--no-save", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  const { status } = spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(1);
}

async function startServer(kind) {
  const entry = join(root, "test", "support", "conformance-server.ts");
  const args = ["--import", "tsx", entry, ...(kind === "plain" ? ["--plain"] : [])];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]);
  if (typeof url !== "string") throw new Error(`the server under test ended with code ${url}`);
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** One run of the suite; a baseline may name failures of other runs, so stale entries are told from the summary. */
function suite({ select, baseline }, url) {
  const bin = join(cache, "node_modules", ".bin");
  const expected = join(root, "test", "conformance", `expected-failures-${baseline}.yml`);
  const args = [join(bin, "conformance"), "server", "--url", url, ...select, "--expected-failures", expected];
  const { stdout, stderr, status } = spawnSync(join(bin, "node"), args, { encoding: "utf8", timeout: LONGEST_RUN });
  const text = `${stdout}${stderr}`;
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(text) ?? [];
  const [, one, of] = /Passed: (\d+)\/(\d+)/.exec(text) ?? [];
  return { passed: Number(passed ?? one), failed: Number(failed ?? of - one), ok: status === 0, text };
}

function report(results) {
  for (const { name, ok, text } of results) if (!ok) console.log(`\n=== ${name}\n${text}`);
  console.log(`\n${"run".padEnd(52)}passed  expected failures  outcome`);
  for (const { name, passed, failed, ok } of results) {
    console.log(
      `${name.padEnd(52)}${String(passed).padStart(6)}  ${String(failed).padStart(17)}  ${ok ? "ok" : "UNEXPECTED"}`,
    );
  }
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
}

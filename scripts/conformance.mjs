// Runs the official MCP conformance suite against this tree: `npm run conformance`.
//
// The suite is installed once into the user's cache folder, never into the project.
// Failures are expected only where test/conformance/*.yml says so; any other, and any that no longer fails,
// makes the exit code 1.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.mjs";

const SUITE = "0.2.0-alpha.12";
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beckon", `conformance-${SUITE}`);
const LONGEST_RUN = 5 * 60_000;
const SERVERS = {
  fixtures: ["conformance-server.ts"],
  plain: ["conformance-server.ts", "--plain"],
  "sign-in": ["conformance-sign-in.ts"],
};

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
const signIn = await startServer("sign-in");
for (const resource of [null, "/mcp"]) results.push(await authorization(signIn, resource));
await signIn.stop();
report(results);

function install() {
  if (existsSync(join(cache, "node_modules", "@modelcontextprotocol", "conformance", "package.json"))) return;
  console.log(`Installing the conformance suite ${SUITE} into ${cache}`);
  try {
    mkdirSync(cache, { recursive: true });
    // A project of its own, and not `--prefix`, with which npm would look for its global settings there too.
    writeFileSync(join(cache, "package.json"), JSON.stringify({ private: true }));
  } catch (thrown) {
    giveUp(`${thrown.message}. Set XDG_CACHE_HOME to a folder that can be written to, and run this again.`);
  }
  const suite = `@modelcontextprotocol/conformance@${SUITE}`;
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", suite];
  const { status } = spawnSync("npm", args, { cwd: cache, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) giveUp("The conformance suite could not be installed from the npm registry; npm says why above.");
}

function giveUp(why) {
  console.error(why);
  process.exit(1);
}

async function startServer(kind) {
  const [entry, ...options] = SERVERS[kind];
  const args = ["--import", "tsx", join(root, "test/support/mcp", entry), ...options];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]);
  if (typeof url !== "string") throw new Error(`the server under test ended with code ${url}`);
  return {
    url,
    tell: (line) => child.stdin.write(`${line}\n`),
    async stop() {
      if (child.exitCode !== null) throw new Error(`the server under test ended with code ${child.exitCode}`);
      const ended = once(child, "exit");
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** One run of the suite against a server of MCP; a baseline may name failures of other runs, so stale entries are told from the summary. */
function suite({ select, baseline }, url) {
  const bin = join(cache, "node_modules", ".bin");
  const expected = join(root, "test", "conformance", `expected-failures-${baseline}.yml`);
  const args = [join(bin, "conformance"), "server", "--url", url, ...select, "--expected-failures", expected];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: LONGEST_RUN });
  const text = `${stdout}${stderr}`;
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(text) ?? [];
  const [, one, of] = /Passed: (\d+)\/(\d+)/.exec(text) ?? [];
  return { passed: Number(passed ?? one), failed: Number(failed ?? of - one), ok: status === 0, text };
}

/**
 * The suite against the authorization server: metadata, and the code grant as a client that was registered. The address
 * that it wants opened in a browser goes to the user that runs with the server. No failure of this is expected.
 */
async function authorization({ url, tell }, resource) {
  const port = await freePort();
  const client = await register(url, `http://127.0.0.1:${port}/callback`);
  const bin = join(cache, "node_modules", ".bin");
  const options = ["--url", url, "--client-id", client, "-p", String(port)];
  const args = [join(bin, "conformance"), "authorization", ...options];
  if (resource !== null) args.push("--resource", `${url}${resource}`);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], timeout: LONGEST_RUN });
  let text = "";
  child.stderr.on("data", (data) => {
    text += data;
  });
  let [address, listens] = [null, false];
  createInterface(child.stdout).on("line", (line) => {
    text += `${line}\n`;
    if (line.startsWith(`${url}/oauth/authorize?`)) address = line;
    // On a busy machine the suite prints the address before it listens for the user's return.
    listens ||= line.startsWith("Callback server started");
    if (address === null || !listens) return;
    tell(address);
    address = null;
  });
  const [code] = await once(child, "close");
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(text) ?? [];
  const name = `product, authorization server${resource === null ? "" : ` for ${resource}`}`;
  // What was skipped did not pass.
  return { name, passed: Number(passed), failed: Number(failed), ok: code === 0 && Number(passed) === 3, text };
}

async function register(url, redirect) {
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Suite", redirect_uris: [redirect], token_endpoint_auth_method: "none" }),
  });
  if (response.status !== 201) throw new Error(`the suite's client was not registered: ${await response.text()}`);
  return (await response.json()).client_id;
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

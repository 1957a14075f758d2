// Runs npm, and says in a sentence why it failed.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { cache } from "./folders.mjs";
import { SetupError, sayOnce } from "./say.mjs";

/** After this time the registry is asked whether it answers, and has as long again. In ms. */
const PATIENCE_MS = 4_500;

/** A process that is ended by one of these would leave npm running. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** npm's own settings let it try for minutes without a word. Whoever has set one of them keeps it. */
const OPTIONS = {
  fetch_retries: 3,
  fetch_retry_factor: 2,
  fetch_retry_mintimeout: 500,
  fetch_retry_maxtimeout: 4_000,
  fetch_timeout: 60_000,
};

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|EPIPE|E\w*TIMED?_?OUT|ERR_SOCKET_TIMEOUT|EPROTO)\b/;
const UNTRUSTED =
  /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)\b/;
const UNWRITABLE = /\b(EACCES|EPERM|EROFS)\b/;

/**
 * Installs what the package-lock.json of a folder says. No script of a package runs.
 * @param folder has package.json and package-lock.json, and no node_modules
 * @param what the subject of the sentence that says why it failed
 * @throws SetupError saying what is wrong, and what to do
 */
export async function npmCi(folder, what, { development = false, patienceMs = PATIENCE_MS } = {}) {
  const kinds = development ? "--include=dev" : "--omit=dev";
  const args = ["ci", kinds, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const installing = new AbortController();
  const watch = setTimeout(() => sayIfRegistryIsSilent(folder, patienceMs, installing.signal), patienceMs);
  const { status, errors } = await npm(folder, args);
  clearTimeout(watch);
  installing.abort();
  if (status !== 0) throw new SetupError(`${what} could not be installed${await reasonOf(errors, folder)}`);
}

/**
 * Runs npm in a folder.
 * @param signal ends it
 * @returns its exit code, and what it wrote to standard output and standard error
 */
async function npm(cwd, args, signal) {
  const [program, ...first] = npmProgram();
  const child = spawn(program, [...first, ...args], { cwd, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
  // It ends at no other signal, and leaves nothing half done in its cache.
  const stop = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", stop);
  const leave = () => process.exit(1);
  process.on("exit", stop);
  for (const signal of SIGNALS) process.on(signal, leave);
  const text = { out: "", errors: "" };
  child.stdout.on("data", (data) => {
    text.out += data;
  });
  child.stderr.on("data", (data) => {
    text.errors += data;
  });
  const status = await new Promise((done, fail) => {
    child.once("close", done);
    child.once("error", ({ code }) =>
      fail(new SetupError(`npm could not be started (${code}). Install npm, with which Beckon installs itself.`)),
    );
  });
  process.off("exit", stop);
  for (const signal of SIGNALS) process.off(signal, leave);
  return { status, ...text };
}

/** The npm that runs this script, on the Node.js that runs it; the one in PATH where another package manager runs it. */
function npmProgram() {
  const { npm_execpath: path, npm_config_user_agent: agent = "" } = process.env;
  return path && agent.startsWith("npm/") && existsSync(path) ? [process.execPath, path] : ["npm"];
}

function environment() {
  const env = { ...process.env };
  for (const [name, value] of Object.entries(OPTIONS)) env[`npm_config_${name}`] ??= String(value);
  const own = env.npm_config_cache;
  if (own && !isWritable(own)) env.npm_config_cache = join(cache, "npm");
  return env;
}

/** Whether a folder can be written to, or be made. */
function isWritable(path) {
  const folder = resolve(path);
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/**
 * A registry that takes connections and answers nothing keeps npm waiting for minutes.
 * @param installing aborted when npm has ended
 */
async function sayIfRegistryIsSilent(folder, patienceMs, installing) {
  const sayIt = async (why) => {
    const registry = await registryOf(folder);
    if (!installing.aborted) sayOnce(`still waiting for ${registry} (${why}). ${NETWORK_HELP}`);
  };
  const late = setTimeout(() => void sayIt("no answer so far"), patienceMs);
  const ping = ["ping", "--fetch-retries=0", `--fetch-timeout=${2 * patienceMs}`];
  const { status, errors } = await npm(folder, ping, installing);
  clearTimeout(late);
  const [code] = (status !== 0 && UNREACHABLE.exec(errors)) || [];
  if (code) await sayIt(code);
}

const NETWORK_HELP =
  "Check the network and npm's proxy settings, or set npm_config_registry to a registry within reach.";

async function reasonOf(errors, folder) {
  const first = (pattern) => pattern.exec(errors)?.[0];
  const untrusted = first(UNTRUSTED);
  if (untrusted)
    return `: the certificate of ${await registryOf(folder)} is not trusted (${untrusted}), as behind a proxy that reads encrypted connections. Give npm the proxy's certificate (npm config set cafile FILE), and start again.`;
  const unreachable = first(UNREACHABLE);
  if (unreachable)
    return `: ${await registryOf(folder)} cannot be reached (${unreachable}). ${NETWORK_HELP} Then start again.`;
  if (/\bENOSPC\b/.test(errors)) return `: the disk is full. Make room, and start again.`;
  const unwritable = first(UNWRITABLE);
  if (unwritable) {
    const [, path = "a file"] = /error path (.+)/.exec(errors) ?? [];
    return `: ${path} cannot be written to (${unwritable}). Start as a user who may, or set npm_config_cache to a folder that you may write to.`;
  }
  if (/\bEINTEGRITY\b/.test(errors))
    return `: what the registry or npm's cache holds is not what was published (EINTEGRITY). Run \`npm cache verify\`, and start again.`;
  const said = errors
    .split("\n")
    .filter((line) => line !== "" && !/complete log of this run/.test(line))
    .slice(0, 12);
  return `; npm says:\n${said.map((line) => `  ${line}`).join("\n")}`;
}

/** What it is called in a sentence. npm shows no address that has a password in it. */
async function registryOf(folder) {
  const { out } = await npm(folder, ["config", "get", "registry"]);
  return `the package registry ${out}`.trim();
}

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";
import { bundleServer } from "./bundle-server.mjs";
import { CLIENT_SOURCES, packClient } from "./client-package.mjs";

/** The folder of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Preparations write to standard error: standard output belongs to the command that follows them. */
const STDERR = 2;

/** How long npm may be silent before the registry is tried, in ms. */
const NOTICE_MS = 5_000;

const SOURCES = [
  "src",
  "scripts/bundle.mjs",
  "scripts/bundle-server.mjs",
  ...CLIENT_SOURCES,
  "tools",
  "rest",
  "a2a",
  "db",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
];

/** Holds the digest of the sources that dist/ was built from. It is written last, when dist/ is complete. */
const MARK = join(root, "dist/.built");

/** Prepares to run from dist/. If that is up to date, no compiler is needed, and development dependencies may be missing. */
export function prepare() {
  if (isBuilt()) return install({ development: false });
  install();
  build();
}

/** Installs missing dependencies, in the versions of package-lock.json. */
export function install({ development = true } = {}) {
  if (isInstalled(development)) return;
  say("installing dependencies (once) …");
  // Development dependencies too, whatever NODE_ENV says: the compiler is one.
  const command = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  const notice = sayIfRegistryIsUnreachable();
  run("npm", command, "the dependencies could not be installed", { output: STDERR });
  run("npm", [...command, "--prefix", "bench"], "the peers of the benches could not be installed", { output: STDERR });
  notice.kill();
}

/** Starts a process that says what npm waits for; this one is blocked while npm runs. @returns the process, to be ended */
function sayIfRegistryIsUnreachable() {
  const notice = spawn(process.execPath, [join(root, "scripts/registry-notice.mjs"), String(NOTICE_MS)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  notice.unref();
  process.once("exit", () => notice.kill());
  return notice;
}

/** Whether dist/ was built from these sources. Contents are compared, since a copy or a checkout changes the times of files. */
export function isBuilt() {
  return existsSync(MARK) && readFileSync(MARK, "utf8") === digest();
}

/** Builds dist/, unless it was built from these sources. */
export function build() {
  if (isBuilt()) return;
  say("building …");
  compile(STDERR);
}

/** Checks the types, bundles the program and what browsers load to dist/, and packs the client there. */
export function compile(output) {
  const sources = digest();
  rmSync(MARK, { force: true });
  const compiler = join(root, "node_modules/tsc/bin/tsc");
  run(process.execPath, [compiler, "-p", "tsconfig.build.json"], "the build failed", { output });
  bundleServer();
  bundle();
  packClient((program, args, failure) => run(program, args, failure, { output }));
  writeFileSync(MARK, sources);
}

/** Runs a program in the folder of the project. If it fails, this process ends with the same exit code. */
export function run(program, args, failure, { output = "inherit", env = process.env, advice = null } = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, env, stdio: ["inherit", output, "inherit"] });
  if (status === 0) return;
  say(error ? `${failure}: ${error.message}` : `${failure} (exit code ${status})`);
  if (advice) say(advice);
  process.exit(status || 1);
}

function say(text) {
  process.stderr.write(`beckon: ${text}\n`);
}

/** Whether npm's record of what is installed has the lock's version of each package that every platform needs. */
function isInstalled(development) {
  const installed = packagesIn("node_modules/.package-lock.json");
  const isThere = ([path, { version }]) => installed[path]?.version === version;
  const isNeeded = ([path, { dev, optional, devOptional }]) =>
    path !== "" && !optional && !devOptional && (development || !dev);
  return Object.entries(packagesIn("package-lock.json")).filter(isNeeded).every(isThere);
}

function packagesIn(lock) {
  const path = join(root, lock);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}

function digest() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** The files below a path of the project, ordered by name; none where it does not exist. */
function filesIn(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

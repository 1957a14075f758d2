import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Where preparations speak: standard output belongs to the command that comes after them. */
const STDERR = 2;

const SOURCES = ["src", "tools", "rest", "a2a", "db", "tsconfig.json", "tsconfig.build.json", "package.json"];

/** Installs what is missing, as package-lock.json has it. */
export function install() {
  const done = join(root, "node_modules/.package-lock.json");
  if (changedAt(done) >= changedAt(join(root, "package-lock.json"))) return;
  say("installing dependencies (once; compiling SQLite takes a minute or two) …");
  // Development dependencies too, whatever NODE_ENV says: the compiler is one. `install`, not `ci`, which refuses
  // a lock made where some other platform's optional packages were not to be had; the lock's versions hold either way.
  const command = ["install", "--no-save", "--include=dev", "--no-audit", "--no-fund"];
  run("npm", command, "the dependencies could not be installed", STDERR);
}

/** Whether no source is newer than the last build. */
export function isBuilt() {
  const newest = Math.max(...SOURCES.map((source) => newestIn(join(root, source))));
  return changedAt(join(root, "dist/.built")) > newest;
}

/** Compiles to dist/ when a source is newer than the last build. */
export function build() {
  if (isBuilt()) return;
  const done = join(root, "dist/.built");
  const startedAt = new Date();
  say("building …");
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  run(process.execPath, [compiler, "-p", "tsconfig.build.json"], "the build failed", STDERR);
  writeFileSync(done, "");
  utimesSync(done, startedAt, startedAt);
}

/** Runs a program of the project; when it fails, so does this process, with its exit code. */
export function run(program, args, failure, output = "inherit") {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ["inherit", output, "inherit"] });
  if (status === 0) return;
  say(error ? `${failure}: ${error.message}` : `${failure} (exit code ${status})`);
  process.exit(status || 1);
}

function say(text) {
  process.stderr.write(`beckon: ${text}\n`);
}

/** 0 for what does not exist. */
function changedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function newestIn(path) {
  if (!existsSync(path) || !statSync(path).isDirectory()) return changedAt(path);
  const inside = readdirSync(path).map((name) => newestIn(join(path, name)));
  return Math.max(changedAt(path), ...inside);
}

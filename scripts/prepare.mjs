import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Where preparations speak: standard output belongs to the command that comes after them. */
const STDERR = 2;

const SOURCES = ["src", "tools", "rest", "a2a", "db", "tsconfig.json", "tsconfig.build.json", "package.json"];

/** Holds the digest of the sources that dist/ was made of; it is there when all of dist/ is. */
const MARK = join(root, "dist/.built");

/** For a command out of dist/: what was built needs no compiler, and none is asked for where development is pruned. */
export function prepare() {
  if (isBuilt()) return install({ development: false });
  install();
  build();
}

/** Installs what is missing, as package-lock.json has it. */
export function install({ development = true } = {}) {
  if (isInstalled(development)) return;
  say("installing dependencies (once; compiling SQLite takes a minute or two) …");
  // Development dependencies too, whatever NODE_ENV says: the compiler is one. `install`, not `ci`, which refuses
  // a lock made where some other platform's optional packages were not to be had; the lock's versions hold either way.
  const command = ["install", "--no-save", "--include=dev", "--no-audit", "--no-fund"];
  run("npm", command, "the dependencies could not be installed", STDERR);
}

/** Whether dist/ was made of these very sources: by their contents, as a copy or a checkout changes every time. */
export function isBuilt() {
  return existsSync(MARK) && readFileSync(MARK, "utf8") === digest();
}

/** Compiles to dist/ where it was not made of these sources. */
export function build() {
  if (isBuilt()) return;
  say("building …");
  compile(STDERR);
}

/** Compiles to dist/. */
export function compile(output) {
  const sources = digest();
  rmSync(MARK, { force: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  run(process.execPath, [compiler, "-p", "tsconfig.build.json"], "the build failed", output);
  writeFileSync(MARK, sources);
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

/** Whether what npm has written down as installed has the lock's version of each package that every platform needs. */
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

/** Of a path in the project, in the order of their names; none of what does not exist. */
function filesIn(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { aside, replace, root } from "./folders.mjs";
import { npmCi } from "./npm.mjs";
import { say } from "./say.mjs";

/** A folder with packages of its own. Its programs are checked with those of the tests. */
const OF_TESTS = "bench";

/**
 * Installs the packages of the project where they are missing, in the versions of package-lock.json: those that the service is
 * built from, and for `tests` also those that check and measure it.
 * @throws SetupError
 */
export async function install({ tests = false } = {}) {
  // At the same time, since npm also waits for the registry.
  await Promise.all([installRoot(tests), tests && installOwn(OF_TESTS)]);
}

async function installRoot(tests) {
  if (isInstalled(root, tests)) return;
  say(`installing ${tests ? "what the tests need" : "packages"} (once) …`);
  // What a developer has installed is not taken away.
  await installIn(root, tests || Object.values(installedIn(root)).some(({ dev }) => dev));
}

/** Installs the packages of a folder, such as `test/clients`, where they are missing. @throws SetupError */
export async function installOwn(path) {
  const folder = join(root, path);
  if (!isInstalled(folder, false)) await installIn(folder, false);
}

function installIn(folder, development) {
  return aside(async (making) => {
    for (const name of ["package.json", "package-lock.json", ".npmrc"])
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(making, name));
    await npmCi(making, "the packages", { development });
    // Another process may have done the same meanwhile.
    if (!isInstalled(folder, development)) replace(join(folder, "node_modules"), join(making, "node_modules"));
  });
}

/** Whether a folder has the lock's version of each package that this machine needs. npm writes its record last. */
function isInstalled(folder, development) {
  const installed = installedIn(folder);
  const isThere = ([path, { version }]) =>
    installed[path]?.version === version && existsSync(join(folder, path, "package.json"));
  const isNeeded = ([path, one]) =>
    path !== "" && (development || !(one.dev || one.devOptional)) && (!one.optional || isForThisMachine(one));
  return Object.entries(packagesIn(join(folder, "package-lock.json")))
    .filter(isNeeded)
    .every(isThere);
}

const installedIn = (folder) => packagesIn(join(folder, "node_modules/.package-lock.json"));

function packagesIn(lock) {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")).packages : {};
}

/** Whether an optional package is the one of this platform. An installation that came from another machine lacks it. */
function isForThisMachine({ os, cpu, libc }) {
  return (
    Boolean(os && cpu) &&
    os.includes(process.platform) &&
    cpu.includes(process.arch) &&
    (!libc || libc.includes(libcOf()))
  );
}

function libcOf() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
}

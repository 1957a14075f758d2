import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aside, cache } from "./folders.mjs";
import { RELEASES } from "./node-releases.mjs";
import { npmCi } from "./npm.mjs";
import { SetupError, say } from "./say.mjs";

const platform = `${process.platform}-${process.arch}`;

/**
 * The folder that has the program `node` of a major version. It is brought from the npm registry into the project's cache
 * when it is not there.
 * @param {22 | 24} major
 * @param {string} why the first half of the sentence that announces it
 * @throws SetupError where the registry has none for this machine, or cannot be reached
 */
export async function bringNode(major, why) {
  const release = RELEASES[major][platform];
  if (!release)
    throw new SetupError(
      `${why}, and the npm registry has no current one for ${platform}. Install Node.js ${major} from nodejs.org or with the system's package manager, and start again.`,
    );
  const folder = join(cache, "node", `${release.version}-${platform}`);
  if (existsSync(join(folder, "node"))) return folder;
  say(`${why}: bringing Node.js ${release.version} from the npm registry into .cache/node (once, 125 MB) …`);
  await aside(async (making) => {
    const name = `node-${platform}`;
    writeManifest(making, name, release);
    await npmCi(making, `Node.js ${release.version}`);
    const made = join(making, "node_modules", name, "bin");
    renameSync(join(making, "node_modules", name, "LICENSE"), join(made, "LICENSE"));
    const { status } = spawnSync(join(made, "node"), ["--version"], { stdio: "ignore" });
    if (status !== 0)
      throw new SetupError(
        `the Node.js ${release.version} of the npm registry does not run on this machine. Install Node.js ${major} with the system's package manager, and start again.`,
      );
    putInPlace(made, folder);
  });
  return folder;
}

/** A project with one package, and the lock that names the package's digest. */
function writeManifest(folder, name, { version, integrity }) {
  const root = { name: "node", private: true, dependencies: { [name]: version } };
  const packages = { "": root, [`node_modules/${name}`]: { version, integrity } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
}

function putInPlace(made, folder) {
  mkdirSync(join(cache, "node"), { recursive: true });
  try {
    renameSync(made, folder);
  } catch (thrown) {
    // Another process has brought it in the meantime.
    if (!existsSync(join(folder, "node"))) throw thrown;
  }
}

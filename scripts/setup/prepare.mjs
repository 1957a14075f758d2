import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isBuilt } from "../build/build.mjs";
import { root } from "./folders.mjs";
import { install } from "./install.mjs";
import { orExplain } from "./say.mjs";

/**
 * Installs and builds what is missing. Where it cannot, it says why and ends the process with exit code 1.
 * @param {{ tests?: boolean, built?: boolean }} need `tests`: packages of the tests, too; `built`: dist/ (default: true)
 */
export async function prepare({ tests = false, built = true } = {}) {
  await orExplain(install({ tests }));
  if (built && !isBuilt()) buildApart();
}

/** In a process of its own: the bundler keeps a program running until its process ends, and this one may go on to serve. */
function buildApart() {
  const { status } = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

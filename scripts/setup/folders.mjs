// Folders that are made aside and put in place by a rename: whoever is stopped in between leaves the old one, and two who do the
// same at once do not disturb each other.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "./say.mjs";

/** The folder of the project. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

export const cache = join(root, ".cache");

const MAKING = join(cache, "making");

/**
 * Calls `make` with a new empty folder on the file system of the project, which is deleted afterwards.
 * @throws SetupError if the project's folder cannot be written to
 */
export async function aside(make) {
  const folder = newFolder();
  try {
    return await make(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts a folder in the place of another, which may be missing. */
export function replace(place, folder) {
  const old = mkdtempSync(join(MAKING, prefix()));
  for (;;) {
    try {
      renameSync(place, join(old, "replaced"));
    } catch (thrown) {
      if (thrown.code !== "ENOENT") throw thrown;
    }
    try {
      renameSync(folder, place);
      break;
    } catch (thrown) {
      // Another process has put its own there between the two renames.
      if (thrown.code !== "ENOTEMPTY" && thrown.code !== "EEXIST") throw thrown;
      rmSync(join(old, "replaced"), { recursive: true, force: true });
    }
  }
  rmSync(old, { recursive: true, force: true });
}

function newFolder() {
  try {
    mkdirSync(MAKING, { recursive: true });
    removeAbandoned();
    return mkdtempSync(join(MAKING, prefix()));
  } catch (thrown) {
    throw new SetupError(
      `the folder ${root} cannot be written to (${thrown.code}), and Beckon installs and builds itself there. Copy it to where you may write, or start Beckon as a user who may.`,
    );
  }
}

const prefix = () => `${hostname()}-${process.pid}-`;

/** Of processes of this machine that were killed. */
function removeAbandoned() {
  for (const name of readdirSync(MAKING)) {
    const [, host, pid] = /^(.*)-(\d+)-[^-]*$/.exec(name) ?? [];
    if (host === hostname() && !isRunning(Number(pid))) rmSync(join(MAKING, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown.code === "EPERM";
  }
}

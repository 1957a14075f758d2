import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { apt, isKnown, isProgram, rootPrefix, succeeds } from "./apt.mjs";
import { root } from "./folders.mjs";
import { say } from "./say.mjs";

/** Where Debian's nginx is unpacked. Installing it would start a server on this machine. */
const UNPACKED = join(root, "node_modules/.cache/nginx");

/** The nginx that tests run: the one that the variable NGINX names, the first in PATH, or the unpacked one; null: none. */
export function findNginx() {
  const named = process.env.NGINX;
  if (named) return isProgram(named) ? named : null;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...folders, "/usr/sbin", join(UNPACKED, "usr/sbin")].map((folder) => join(folder, "nginx"));
  return candidates.find(isProgram) ?? null;
}

/** Finds an nginx, or downloads Debian's. @throws Error that says what is missing */
export function ensureNginx() {
  const found = findNginx();
  if (found !== null) return found;
  const help = "Install nginx, or set NGINX to the path of its program, and run this again.";
  if (process.env.NGINX) throw new Error(`the variable NGINX does not name a program. ${help}`);
  if (!succeeds("apt-get", "--version"))
    throw new Error(`there is no nginx here, and no apt-get to download one. ${help}`);
  say("the tests need nginx and there is none: downloading Debian's (once; a few seconds) …");
  const isThere = (isKnown("nginx") && unpack()) || (update() && unpack());
  const unpacked = isThere ? findNginx() : null;
  if (unpacked === null || !succeeds(unpacked, "-v"))
    throw new Error(`Debian's nginx could not be downloaded, or does not run. ${help}`);
  return unpacked;
}

function update() {
  const prefix = rootPrefix();
  return prefix !== null && apt(prefix, "update");
}

/** Unpacks into a folder of this process and renames it at the end, so that two processes may do it at once. */
function unpack() {
  const folder = `${UNPACKED}-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  try {
    const isHere = spawnSync("apt-get", ["-q", "download", "nginx"], { cwd: folder, stdio: ["ignore", 2, 2] });
    const file = readdirSync(folder).find((name) => name.endsWith(".deb"));
    if (isHere.status !== 0 || !file) return false;
    if (!succeeds("dpkg", "-x", join(folder, file), join(folder, "root"))) return false;
    rmSync(UNPACKED, { recursive: true, force: true });
    renameSync(join(folder, "root"), UNPACKED);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

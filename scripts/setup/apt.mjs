import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";

/** The command before apt-get that runs it as root; null where apt-get is missing, or this user may not use it. */
export function rootPrefix() {
  if (!succeeds("apt-get", "--version")) return null;
  if (process.getuid?.() === 0) return [];
  return succeeds("sudo", "-n", "true") ? ["sudo", "-n"] : null;
}

/** Whether the package lists of this machine have this package. */
export function isKnown(name) {
  return succeeds("apt-cache", "show", "--no-all-versions", name);
}

/** Runs apt-get, with its output on standard error. @returns whether it succeeded */
export function apt(prefix, ...args) {
  const command = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", ...args];
  return spawnSync(command[0], command.slice(1), { stdio: ["ignore", 2, 2] }).status === 0;
}

export function succeeds(program, ...args) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";

const CACHE = join(packageRoot, "node_modules/.cache/npm-programs");

/** Whether the registry has packages with other versions of Node.js for this machine, which need no script. */
export const HAS_OTHER_NODES = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);

/** The Node.js of a major version, such as "18". */
export function nodeOf(major: string): string {
  const name = `node-linux-${process.arch}`;
  return join(fromRegistry(`${name}@${major}`), name, "bin/node");
}

/** The program of npm in a major version, to be run by Node.js. */
export function npmOf(major: string): string {
  return join(fromRegistry(`npm@${major}`), "npm/bin/npm-cli.js");
}

/** The packages below a version of a package, which is installed once into a cache folder of the project. */
function fromRegistry(spec: string): string {
  const folder = join(CACHE, spec);
  if (existsSync(folder)) return join(folder, "node_modules");
  const making = `${folder}-${process.pid}`;
  mkdirSync(making, { recursive: true });
  // A project of its own, so that npm does not look for one above.
  writeFileSync(join(making, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", spec], {
    cwd: making,
    stdio: ["ignore", 2, 2],
  });
  try {
    renameSync(making, folder);
  } catch {
    // Another process has just made it.
    rmSync(making, { recursive: true });
  }
  return join(folder, "node_modules");
}

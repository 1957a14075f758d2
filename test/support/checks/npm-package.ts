import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SERVER_PACKAGE } from "../../../src/platform/own-command.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { INCLUDED } from "./build-context.ts";

const execute = promisify(execFile);

export interface NpmPackage {
  /** Paths in the package, without `package/`. */
  readonly files: readonly string[];
  readonly tarball: string;
  /** The client's tarball that was built with it. */
  readonly client: string;
  /** What `npm run pack` printed. */
  readonly said: string;
  remove(): Promise<void>;
}

/** Makes the package of the service with `npm run pack`, in a copy of the project. Uses no network. */
export async function packProject(): Promise<NpmPackage> {
  const directory = await mkdtemp(join(tmpdir(), "beckon-pack-"));
  const copy = join(directory, "project");
  // Only the build context of the image is copied, which proves that it is enough for the build.
  for (const path of INCLUDED) await cp(join(packageRoot, path), join(copy, path), { recursive: true });
  // Files that a working copy may contain must not get into the package either.
  await mkdir(join(copy, "data"));
  await cp(join(packageRoot, "LICENSE"), join(copy, "data/demo-key"));
  await mkdir(join(copy, "dist/src"), { recursive: true });
  await cp(join(packageRoot, "LICENSE"), join(copy, "dist/src/gone.js"));
  await symlink(join(packageRoot, "node_modules"), join(copy, "node_modules"));
  const { stdout } = await execute("npm", ["run", "-s", "pack"], {
    cwd: copy,
    // Where it would install, it fails later: its node_modules are the project's, which npm would empty.
    env: { ...process.env, npm_config_dry_run: "true", npm_config_offline: "true" },
  });
  const tarball = join(copy, stdout.split("\n")[0]!);
  const { stdout: listed } = await execute("tar", ["-tzf", tarball]);
  return {
    files: listed
      .trim()
      .split("\n")
      .map((path) => path.replace(/^package\//, "")),
    tarball,
    client: join(copy, "dist/client/beckon.tgz"),
    said: stdout,
    remove: () => rm(directory, { recursive: true }),
  };
}

/** A program to run: a file, and what comes before the arguments. */
export type Program = readonly [file: string, ...args: string[]];

/** Installs tarballs into a folder as their users do, without scripts and with a home of their own. @returns seconds */
export async function installInto(
  folder: string,
  tarballs: readonly string[],
  { npm = ["npm"], isGlobal = false }: { npm?: Program; isGlobal?: boolean } = {},
): Promise<number> {
  const [file, ...before] = npm;
  const options = [
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...(isGlobal ? ["--global"] : []),
  ];
  const startedAt = performance.now();
  await execute(file, [...before, "install", ...options, ...tarballs], { cwd: tmpdir() });
  return (performance.now() - startedAt) / 1_000;
}

/** Where npm puts the service's package below a folder. */
export function installedIn(folder: string): string {
  return join(folder, "node_modules", SERVER_PACKAGE);
}

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { INCLUDED } from "./build-context.ts";

const execute = promisify(execFile);

export interface NpmPackage {
  /** Paths in the package, without `package/`. */
  readonly files: readonly string[];
  /** Folder of the unpacked package; the dependencies of the project are linked into it. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** Packs a copy of the project with `npm pack`, which builds it first, and unpacks the package. Uses no network. */
export async function packProject(): Promise<NpmPackage> {
  const directory = await mkdtemp(join(tmpdir(), "beckon-pack-"));
  const copy = join(directory, "project");
  // Only the build context of the image is copied, which proves that it suffices for the build.
  for (const path of INCLUDED) await cp(join(packageRoot, path), join(copy, path), { recursive: true });
  // Files that a working copy may contain must not get into the package either.
  await mkdir(join(copy, "data"));
  await cp(join(packageRoot, "LICENSE"), join(copy, "data/demo-key"));
  await mkdir(join(copy, "dist/src"), { recursive: true });
  await cp(join(packageRoot, "LICENSE"), join(copy, "dist/src/gone.js"));
  const modules = join(packageRoot, "node_modules");
  await symlink(modules, join(copy, "node_modules"));
  const env = { ...process.env, npm_config_offline: "true", npm_config_update_notifier: "false" };
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", directory], { cwd: copy, env });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await execute("tar", ["-xzf", join(directory, filename), "-C", directory]);
  const folder = join(directory, "package");
  await symlink(modules, join(folder, "node_modules"));
  return {
    files: files.map(({ path }) => path),
    folder,
    remove: () => rm(directory, { recursive: true }),
  };
}

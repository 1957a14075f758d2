import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../platform/config/config.ts";
import { packageRoot } from "../../platform/package-root.ts";

export const CLIENT_PACKAGE_PATH = "/beckon.tgz";

/** Where `npm run build` puts the client package. */
const FOLDER = join(packageRoot, "dist/client");

let tarball: Buffer | undefined;
let program: string | undefined;

/** The client as a package of npm. @throws Error when the service was not built */
export function clientTarball(): Buffer {
  tarball ??= readFileSync(join(FOLDER, "beckon.tgz"));
  return tarball;
}

/** Its command line as one file. @throws Error when the service was not built */
export function clientProgram(): string {
  program ??= readFileSync(join(FOLDER, "beckon.mjs"), "utf8");
  return program;
}

/**
 * The name by which npm installs the client: the operator's package, or else the address of the package that the
 * service itself serves. A name that nobody has set could belong to a stranger, whose code npm would run.
 */
export function clientSpecifier({ siteUrl, clientPackage }: Pick<Config, "siteUrl" | "clientPackage">): string {
  return clientPackage ?? `${siteUrl}${CLIENT_PACKAGE_PATH}`;
}

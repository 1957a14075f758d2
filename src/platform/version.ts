import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

const manifest: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8"),
);

/** The version of the package. */
export const version = manifest.version;

/** The name of the package: of the clone, or of what `npm run pack` makes. */
export const packageName = manifest.name;

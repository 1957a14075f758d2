import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

const manifest: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8"),
);

/** Of the package. */
export const version = manifest.version;

/** Of the package: that of a clone, or that of what `npm run pack` makes. */
export const packageName = manifest.name;

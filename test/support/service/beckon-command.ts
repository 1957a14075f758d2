import { join } from "node:path";
import { isBuilt } from "../../../scripts/prepare.mjs";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Arguments of Node.js to run `beckon`: compiled if dist/ is up to date, which starts in half the time, or from the sources. */
export const PROGRAM: readonly string[] = isBuilt()
  ? [join(packageRoot, "dist/src/main.js")]
  : ["--import", "tsx", join(packageRoot, "src/main.ts")];

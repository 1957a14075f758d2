import { join } from "node:path";
import { isBuilt } from "../../../scripts/prepare.mjs";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** What Node.js is told to run `beckon`: as it is installed where dist/ is of these sources, which starts in half the time. */
export const PROGRAM: readonly string[] = isBuilt()
  ? [join(packageRoot, "dist/src/main.js")]
  : ["--import", "tsx", join(packageRoot, "src/main.ts")];

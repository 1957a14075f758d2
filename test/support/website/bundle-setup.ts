import { execFileSync } from "node:child_process";
import { bundle } from "../../../scripts/bundle.mjs";
import { packClient } from "../../../scripts/client-package.mjs";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Pages need the bundles of the present sources, and the service the client that it serves, also where only a part of the tests runs. */
export function setup(): void {
  bundle();
  packClient((program, args) => {
    execFileSync(program, args, { cwd: packageRoot, stdio: ["ignore", "ignore", "inherit"] });
  });
}

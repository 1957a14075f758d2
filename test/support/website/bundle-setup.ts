import { join } from "node:path";
import { packClient } from "../../../scripts/build/client.mjs";
import { bundleWebsite } from "../../../scripts/build/website.mjs";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Pages need the bundles of the present sources, and the service the client that it serves, also where only a part of the tests runs. */
export function setup(): void {
  const dist = join(packageRoot, "dist");
  bundleWebsite(dist);
  packClient(dist);
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { presentRelease } from "../test/support/database/release.ts";

// Stores the database of the version that is being released, which every later version upgrades in a test.
const release = await presentRelease();
const folder = join(packageRoot, "test/db/releases");
mkdirSync(folder, { recursive: true });
const file = join(folder, `${release.version}.json`);
writeFileSync(file, `${JSON.stringify(release)}\n`, { flag: "wx" });
process.stdout.write(`${file}\n`);

// `npm run check`: format, lint and types of every file, and what nothing uses.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup/folders.mjs";
import { prepare } from "./setup/prepare.mjs";

await prepare({ tests: true, built: false });
for (const [program, ...args] of [["biome", "ci", "--error-on-warnings", "."], ["tsc", "--noEmit"], ["knip"]]) {
  const { status } = spawnSync(join(root, "node_modules/.bin", program), args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

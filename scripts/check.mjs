// `npm run check`: format, lint and types of every file, and what nothing uses.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup/folders.mjs";
import { prepare } from "./setup/prepare.mjs";

const PROGRAMS = [
  ["biome", "ci", "--error-on-warnings", "."],
  // Several checkers would each resolve the types of the libraries: on two cores twice the CPU, and no sooner.
  ["tsc", "--noEmit", "--singleThreaded"],
  ["knip"],
];

await prepare({ tests: true, built: false });
for (const [program, ...args] of PROGRAMS) {
  const { status } = spawnSync(join(root, "node_modules/.bin", program), args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// `npm run test:quick [-- options of vitest]`: the tests that start no other program, on SQLite, and how long they took.
// It is for use while working; `npm test` decides.
import { spawnSync } from "node:child_process";
import { root } from "./setup/folders.mjs";
import { prepare } from "./setup/prepare.mjs";
import { say } from "./setup/say.mjs";

await prepare({ tests: true, built: false });
const began = Date.now();
const { status } = spawnSync("node_modules/.bin/vitest", ["run", "--reporter=dot", ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, TEST_TIER: "quick" },
  stdio: "inherit",
});
const seconds = Math.round((Date.now() - began) / 1000);
say(
  `the quick tests took ${seconds} s. \`npm test\` adds PostgreSQL, browsers, nginx, a chain, kills, lint and types.`,
);
process.exitCode = status ?? 1;

// `npm run test:quick [-- options of vitest]`: the tests that start no other program, on SQLite, and how long they took.
// It is for use while working; `npm test` decides.
import { install, run } from "./prepare.mjs";

install();
const began = Date.now();
process.env.TEST_TIER = "quick";
run("node_modules/.bin/vitest", ["run", "--reporter=dot", ...process.argv.slice(2)], "quick tests failed");
const seconds = Math.round((Date.now() - began) / 1000);
process.stderr.write(
  `beckon: the quick tests took ${seconds} s. \`npm test\` adds PostgreSQL, browsers, nginx, a chain, kills, lint and types.\n`,
);

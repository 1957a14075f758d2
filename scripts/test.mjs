// `npm test [-- options of vitest]`: everything that guards a law, on Node.js 24. Meanwhile, since some tests only wait: types, then
// generated text. Format and lint are for `npm run check`, which the deep run calls. With options it runs only the tests that they
// choose. It stops at the first failure, with its exit code.
import { environmentOf, prepareTests } from "./tests/prepare-tests.mjs";
import { runAll, testsOf } from "./tests/run-tests.mjs";

const options = process.argv.slice(2);
/** The command that runs a failed test of the deep run again names its tier, which runs on Node.js 22. */
const is22 = process.env.TEST_TIER === "quick22";
const isWhole = options.length === 0 && !is22;

// Installing waits for a registry most of the time, and so does bringing a Node.js.
const [env] = await Promise.all([environmentOf(is22 ? 22 : 24), prepareTests()]);

const CHECKS = [
  {
    what: "types",
    env,
    command: ["node_modules/.bin/tsc", "--noEmit", "--singleThreaded"],
    help: "`npx tsc` checks them alone",
  },
  {
    what: "generated text",
    env,
    command: ["node_modules/.bin/tsx", "scripts/generate.ts", "--check"],
    help: "`npm run generate` writes it",
  },
];

await runAll([testsOf(is22 ? "quick22" : "all", env, options)], isWhole ? CHECKS : []);

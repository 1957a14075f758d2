// `npm test [-- options of vitest]`: everything that guards a law, on Node.js 24. Meanwhile, since some tests only wait: format, lint
// and types, then generated text, what may differ on Node.js 22, and the official MCP conformance suite. With options it runs
// only the tests that they choose. It stops at the first failure, with its exit code.
import { environmentOf, prepareTests } from "./tests/prepare-tests.mjs";
import { runAll, testsOf } from "./tests/run-tests.mjs";

const options = process.argv.slice(2);
/** What runs on Node.js 22 alone, which the command that runs a failed test again names. */
const only22 = ["node22", "quick22"].find((tier) => tier === process.env.TEST_TIER);

const on24 = await environmentOf(24);
const isWhole = options.length === 0 && !only22;
// Installing waits for a registry most of the time, and so does bringing a Node.js.
const [on22] = await Promise.all([isWhole || only22 ? environmentOf(22) : null, prepareTests()]);

const CHECKS = [
  {
    what: "format, lint and types",
    env: on24,
    command: ["npm", "run", "-s", "check"],
    help: "`npm run check` runs them alone, `npm run fix` mends the format",
  },
  {
    what: "generated text",
    env: on24,
    command: ["node_modules/.bin/tsx", "scripts/generate.ts", "--check"],
    help: "`npm run generate` writes it",
  },
  testsOf("node22", on22),
  {
    what: "MCP conformance",
    env: on24,
    command: ["node", "scripts/conformance.mjs"],
    help: "`npm run conformance` runs it alone",
  },
];

await runAll([only22 ? testsOf(only22, on22, options) : testsOf("all", on24, options)], isWhole ? CHECKS : []);

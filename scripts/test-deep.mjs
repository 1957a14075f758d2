// `npm run test:deep [-- options of vitest]`: what looks for new faults and would take too long in `npm test`: longer generated
// inputs and histories, whole tables, clients of others, faults planted into the sources. DEEP says how many times longer.
// Meanwhile format and lint are checked, then the quick tier runs on Node.js 22, then the official MCP conformance suite, then the
// mutants. With options only the deep tests that they choose run.
import { environmentOf, prepareTests } from "./tests/prepare-tests.mjs";
import { runAll, testsOf } from "./tests/run-tests.mjs";

const options = process.argv.slice(2);
const isWhole = options.length === 0;

const on24 = await environmentOf(24);
const [on22] = await Promise.all([isWhole ? environmentOf(22) : null, prepareTests({ clients: true })]);

const CHECK = {
  what: "format, lint and types",
  env: on24,
  command: ["npm", "run", "-s", "check"],
  help: "`npm run check` runs them alone, `npm run fix` mends the format",
};

const CONFORMANCE = {
  what: "MCP conformance",
  env: on24,
  command: ["node", "scripts/conformance.mjs"],
  help: "`npm run conformance` runs it alone",
};

const MUTANTS = {
  what: "mutants",
  env: on24,
  command: ["node", "scripts/mutants.mjs"],
  help: "`npm run mutants` runs them alone",
};

const TYPES = {
  what: "types of test/clients",
  env: on24,
  command: ["node_modules/.bin/tsc", "--noEmit", "--project", "test/clients"],
  help: "`npx tsc --noEmit --project test/clients` checks them alone",
};

await runAll(
  [testsOf("deep", { DEEP: "10", ...on24 }, options)],
  isWhole ? [CHECK, TYPES, testsOf("quick22", on22), CONFORMANCE, MUTANTS] : [],
);

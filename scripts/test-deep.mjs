// `npm run test:deep [-- options of vitest]`: what looks for new faults and would take too long in `npm test`: longer generated
// inputs and histories, whole tables, clients of others, faults planted into the sources. DEEP says how many times longer.
import { environmentOf, prepareTests } from "./tests/prepare-tests.mjs";
import { runAll, testsOf } from "./tests/run-tests.mjs";

const on24 = await environmentOf(24);
await prepareTests();
await runAll([testsOf("deep", { DEEP: "10", ...on24 }, process.argv.slice(2))]);

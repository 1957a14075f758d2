// `npm run test:quick [-- options of vitest]`: the tests that start no other program, on SQLite, and how long they took.
// It is for use while working; `npm test` decides.
import { prepare } from "./setup/prepare.mjs";
import { runAll, testsOf } from "./tests/run-tests.mjs";

await prepare({ tests: true, built: false });
await runAll([testsOf("quick", process.env, process.argv.slice(2))]);

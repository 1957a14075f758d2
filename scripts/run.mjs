// Runs a program from its sources: `scripts/node scripts/run.mjs FILE [ARGUMENTS]`. What is missing is installed before.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./setup/folders.mjs";
import { prepare } from "./setup/prepare.mjs";

/** They import nothing that only the tests need. */
const LIGHT = ["scripts/demo.ts", "scripts/fakes.ts", "scripts/faulty-node.ts"];

/** They start what `npm start` starts. */
const ON_DIST = ["scripts/chaos.ts"];

const [file] = process.argv.splice(2, 1);
await prepare({ tests: !LIGHT.includes(file), built: ON_DIST.includes(file) });
const { register } = await import("tsx/esm/api");
register();
await import(pathToFileURL(join(root, file)));

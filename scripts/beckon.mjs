// The operator command, from a clone. It runs in this process, so that signals and exit codes need not be forwarded.
import { prepare } from "./setup/prepare.mjs";

await prepare();
await import("../dist/src/main.js");

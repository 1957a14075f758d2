// The operator command, from a clone: installs and builds what is missing, then runs in this process,
// so that signals and exit codes need not be forwarded.
import { prepare } from "./prepare.mjs";

prepare();
await import("../dist/src/main.js");

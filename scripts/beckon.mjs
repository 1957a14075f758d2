// The operator command, from a clone: installs and builds what is missing, then runs in this very process,
// so that signals and exit codes need no passing on.
import { build, install } from "./prepare.mjs";

install();
build();
await import("../dist/src/main.js");

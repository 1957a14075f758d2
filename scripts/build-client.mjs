// The client package in packages/client/dist: each module as JavaScript, and its types beside it. It is not bundled, so that
// bundlers of its users leave out what they do not use.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./prepare.mjs";

rmSync(join(root, "packages/client/dist"), { recursive: true, force: true });
const compiler = join(root, "node_modules/tsc/bin/tsc");
run(process.execPath, [compiler, "-p", "packages/client/tsconfig.json"], "the client could not be built", {
  output: 2,
});

// Before the package is packed: dist/ anew, so that nothing is shipped whose source is gone.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./prepare.mjs";

rmSync(join(root, "dist"), { recursive: true, force: true });
run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], "the build failed");

// Before the package is packed: dist/ anew, so that nothing is shipped whose source is gone.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { compile, root } from "./prepare.mjs";

rmSync(join(root, "dist"), { recursive: true, force: true });
compile();

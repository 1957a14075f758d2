import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { artefactOf } from "../test/support/payments/chain/compile.ts";
import { CONTRACTS } from "../test/support/payments/chain/contracts.ts";

// `npx tsx scripts/contracts.ts`: compiles contracts/*.sol; the tests hold the artefacts equal to their sources.
for (const name of CONTRACTS) {
  writeFileSync(join(packageRoot, "contracts", `${name}.json`), artefactOf(name));
  console.log(`contracts/${name}.json`);
}

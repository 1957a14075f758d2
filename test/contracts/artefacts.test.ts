import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { artefactOf } from "../support/payments/chain/compile.ts";
import { CONTRACTS } from "../support/payments/chain/contracts.ts";

test.each(CONTRACTS)(
  "law: contracts/%s.json is what its source compiles to (npx tsx scripts/contracts.ts)",
  (name) => {
    expect(readFileSync(join(packageRoot, "contracts", `${name}.json`), "utf8")).toBe(artefactOf(name));
  },
  60_000,
);

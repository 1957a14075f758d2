import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as chains from "viem/chains";
import { packageRoot } from "../src/platform/package-root.ts";

/** The ids of all test chains that viem knows. They are copied, since viem's own list takes long to load. */
const FILE = "src/platform/config/test-chain-ids.ts";

/** Brings the file up to date, unless `checking`. @returns its path if it was not */
export function updateTestChains(checking: boolean): string[] {
  const path = join(packageRoot, FILE);
  const wanted = asSource(testChainIds(Object.values(chains)));
  if (wanted === readFileSync(path, "utf8")) return [];
  if (!checking) writeFileSync(path, wanted);
  return [FILE];
}

interface Chain {
  readonly id: number;
  readonly testnet?: boolean | undefined;
}

/** An id that a chain with real money has too is not in the list: 9, 260 and 999 were test chains once. */
export function testChainIds(all: readonly Chain[]): number[] {
  const real = new Set(all.filter(({ testnet }) => testnet !== true).map(({ id }) => id));
  const test = all.filter(({ id, testnet }) => testnet === true && !real.has(id));
  return [...new Set(test.map(({ id }) => id))].sort((a, b) => a - b);
}

const PER_ROW = 12;

function asSource(ids: readonly number[]): string {
  const rows = Array.from({ length: Math.ceil(ids.length / PER_ROW) }, (_, row) =>
    ids.slice(row * PER_ROW, (row + 1) * PER_ROW),
  );
  return `// biome-ignore-all format: generated
/** Written by \`npm run generate\`: the ids of the chains that viem/chains marks as test networks. */
export const TEST_CHAIN_IDS: readonly number[] = [
${rows.map((row) => `  ${row.join(", ")},`).join("\n")}
];
`;
}

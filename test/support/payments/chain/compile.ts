import { readFileSync } from "node:fs";
import { join } from "node:path";
import solc from "solc";
import { packageRoot } from "../../../../src/platform/package-root.ts";

/** The EVM version Paris has no PUSH0, an instruction that some chains lack. */
const SETTINGS = {
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

/**
 * Compiles a contract. @returns the contents of contracts/NAME.json, which include the version and settings of the compiler
 * @throws Error with the messages of the compiler
 */
export function artefactOf(name: string): string {
  const file = `${name}.sol`;
  const content = readFileSync(join(packageRoot, "contracts", file), "utf8");
  const input = { language: "Solidity", sources: { [file]: { content } }, settings: SETTINGS };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0)
    throw new Error(errors.map((one: { formattedMessage: string }) => one.formattedMessage).join());
  const { abi, evm } = contracts[file][name];
  const { outputSelection: _, ...settings } = SETTINGS;
  const artefact = {
    contract: name,
    compiler: { solc: solc.version(), ...settings },
    abi,
    bytecode: `0x${evm.bytecode.object}`,
  };
  return `${JSON.stringify(artefact, null, 2)}\n`;
}

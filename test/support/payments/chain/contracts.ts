import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAbi } from "viem";
import { packageRoot } from "../../../../src/platform/package-root.ts";

/** Sources in contracts/, which `npx tsx scripts/contracts.ts` compiles. */
export const CONTRACTS = ["TestUSD", "Multicall", "OwnedWallet"] as const;

type Hex = `0x${string}`;

export interface Artefact {
  // biome-ignore lint/suspicious/noExplicitAny: what the compiler wrote; typed forms of what is called stand below
  readonly abi: any;
  readonly bytecode: Hex;
}

export function artefact(name: (typeof CONTRACTS)[number]): Artefact {
  return JSON.parse(readFileSync(join(packageRoot, "contracts", `${name}.json`), "utf8"));
}

export const TOKEN = parseAbi([
  "function mint(address to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
]);

/** What the service reads of a token. */
export const READ_OF_TOKEN = parseAbi([
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

export const MULTICALL = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) payable returns (Result[] results)",
]);

import { domainSeparator, type Hex, isHex } from "viem";
import type { TokenInfo } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { isAway, type NodeClient } from "./evm-rpc.ts";

/** Of a contract that tells no version. */
const VERSION = "1";

/**
 * What a contract says of itself. Its name as a token and the name in its EIP-712 domain may differ, and not every
 * contract tells its version, so that its separator decides which of the domains it may mean is its own.
 */
export async function readToken(client: NodeClient, address: Hex): Promise<TokenInfo> {
  const [chainId, code] = await Promise.all([client.getChainId(), client.getCode({ address })]);
  if (code && !isHex(code)) throw new Error("not the code of a contract");
  if (!code) return { chainId, isContract: false, decimals: null, name: "", version: VERSION, isDomain: false };
  const said = <T>(work: Promise<T>) => work.catch(nullUnlessAway);
  const read = { address, abi: TOKEN } as const;
  const [decimals, name, version, domain, separator] = await Promise.all([
    said(client.readContract({ ...read, functionName: "decimals" })),
    said(client.readContract({ ...read, functionName: "name" })),
    said(client.readContract({ ...read, functionName: "version" })),
    said(client.readContract({ ...read, functionName: "eip712Domain" })),
    said(client.readContract({ ...read, functionName: "DOMAIN_SEPARATOR" })),
  ]);
  const [, ownName, ownVersion] = domain ?? [];
  const candidates = [
    { name: ownName ?? name ?? "", version: ownVersion ?? version ?? VERSION },
    { name: name ?? "", version: version ?? VERSION },
  ];
  const isOwn = (one: { name: string; version: string }) =>
    separator === domainSeparator({ domain: { ...one, chainId, verifyingContract: address } });
  const own = candidates.find(isOwn);
  // One that does not tell its separator is taken at its word.
  const isDomain = own !== undefined || (separator === null && candidates[0]!.name !== "");
  return { chainId, isContract: true, decimals, ...(own ?? candidates[0]!), isDomain };
}

/** A contract that has no such function reverts, or answers nothing or something else. */
function nullUnlessAway(thrown: unknown): null {
  if (isAway(thrown)) throw thrown;
  return null;
}

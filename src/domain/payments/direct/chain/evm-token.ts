import { domainSeparator, type Hex, isHex } from "viem";
import type { TokenInfo } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { isAway, type NodeClient } from "./evm-rpc.ts";

/** The version of a contract that reports none. */
const VERSION = "1";

/**
 * What a contract reports about itself. The name of the token and the name in its EIP-712 domain may differ, and not
 * every contract reports its version. So its domain separator decides which of the possible domains is its own.
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
  // A contract without a separator is believed.
  const isDomain = own !== undefined || (separator === null && candidates[0]!.name !== "");
  return { chainId, isContract: true, decimals, ...(own ?? candidates[0]!), isDomain };
}

/** A contract without such a function reverts, or answers nothing or something else. */
function nullUnlessAway(thrown: unknown): null {
  if (isAway(thrown)) throw thrown;
  return null;
}

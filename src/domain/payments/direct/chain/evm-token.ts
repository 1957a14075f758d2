import * as TypedData from "ox/TypedData";
import type { TokenInfo } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { hexOf, quantityOf, readContract } from "./evm-answer.ts";
import { isAway, type NodeClient } from "./evm-rpc.ts";

/** The version of a contract that reports none. */
const VERSION = "1";

/**
 * What a contract reports about itself. The name of the token and the name in its EIP-712 domain may differ, and not
 * every contract reports its version. So its domain separator decides which of the possible domains is its own.
 */
export async function readToken(client: NodeClient, address: `0x${string}`): Promise<TokenInfo> {
  const asked = [client.request("eth_chainId"), client.request("eth_getCode", [address, "latest"])];
  const [id, code] = await Promise.all(asked);
  const chainId = quantityOf(id);
  if (hexOf(code) === "0x")
    return { chainId, isContract: false, decimals: null, name: "", version: VERSION, isDomain: false };
  const [decimals, name, version, domain, separator] = await Promise.all([
    readContract(client, [address, TOKEN.decimals]).catch(nullUnlessAway),
    readContract(client, [address, TOKEN.name]).catch(nullUnlessAway),
    readContract(client, [address, TOKEN.version]).catch(nullUnlessAway),
    readContract(client, [address, TOKEN.eip712Domain]).catch(nullUnlessAway),
    readContract(client, [address, TOKEN.domainSeparator]).catch(nullUnlessAway),
  ]);
  const [, ownName, ownVersion] = domain ?? [];
  const candidates = [
    { name: ownName ?? name ?? "", version: ownVersion ?? version ?? VERSION },
    { name: name ?? "", version: version ?? VERSION },
  ];
  const isOwn = (one: { name: string; version: string }) =>
    separator === TypedData.domainSeparator({ ...one, chainId, verifyingContract: address });
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

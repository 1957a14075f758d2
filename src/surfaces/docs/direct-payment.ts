import { baseUnitsOf } from "../../domain/payments/orders/packs.ts";
import type { Config } from "../../platform/config/config.ts";
import { isTestNetwork } from "../../platform/config/test-networks.ts";
import type { Values } from "./template.ts";

/** What the passage on direct payment takes; without direct payment no page shows it. */
export function directValues({ direct, packs }: Config): Values {
  const pack = packs[0]!;
  return {
    network: direct?.network ?? "",
    networkName: direct ? networkName(direct.network) : "",
    asset: direct?.asset ?? "",
    smallestPack: pack.id,
    smallestPackName: pack.name,
    smallestPrice: String(baseUnitsOf(pack)),
  };
}

/** "Base Sepolia, a test network, " */
function networkName(network: string): string {
  const name = NETWORKS[network];
  return `${name ? `${name}, ` : ""}${isTestNetwork(network) ? "a test network, " : ""}`;
}

const NETWORKS: Readonly<Record<string, string>> = {
  "eip155:1": "Ethereum",
  "eip155:8453": "Base",
  "eip155:84532": "Base Sepolia",
};

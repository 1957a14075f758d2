import type { Config } from "../../platform/config/config.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { WalletFigures } from "./direct/direct-payments.ts";
import type { WalletState } from "./direct/open.ts";

export type { WalletFigures, WalletState };

/**
 * The state of the account of X402_FACILITATOR_KEY on its chain; null if this service pays no gas.
 * @throws Error if no node of the chain answers
 */
export async function readWallet({ direct }: Config, http: HttpClient): Promise<WalletState | null> {
  if (!direct || "url" in direct.facilitator) return null;
  const open = await import("./direct/open.ts");
  return open.readWallet(direct, direct.facilitator, http);
}

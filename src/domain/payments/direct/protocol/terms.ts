import * as Address from "ox/Address";
import type { DirectSettings } from "../../../../platform/config/payment.ts";
import { baseUnitsOf, type Pack } from "../../orders/packs.ts";
import type { Requirements } from "./x402.ts";

/** Path of the one resource that is paid for, whatever surface the payment comes through. */
const PATH = "/api/v1/credits/x402";

/** How long a price is valid, in seconds: a client signs for that long. */
export const PRICE_SECONDS = 300;

/** EIP-712 domain of the token: its `name()` and `version()`. */
export interface Domain {
  readonly name: string;
  readonly version: string;
}

/** What all prices of this deployment have in common. Addresses have their checksum (EIP-55). */
export interface Terms {
  /** CAIP-2. */
  readonly network: string;
  readonly chainId: number;
  readonly asset: string;
  readonly payTo: string;
  /** The address of the purchase, for the payer. */
  readonly url: string;
  /** Protection space of the `Payment` scheme: the host, without its port. */
  readonly realm: string;
}

export function termsOf({ network, chainId, asset, payTo }: DirectSettings, siteUrl: string): Terms {
  return {
    network,
    chainId,
    asset: checksummed(asset),
    payTo: checksummed(payTo),
    url: `${siteUrl}${PATH}`,
    realm: new URL(siteUrl).hostname,
  };
}

/** x402 v2, PaymentRequirements: a pack's price. */
export function requirementsOf({ network, asset, payTo }: Terms, { name, version }: Domain, pack: Pack): Requirements {
  return {
    scheme: "exact",
    network,
    amount: baseUnitsOf(pack),
    asset,
    payTo,
    maxTimeoutSeconds: PRICE_SECONDS,
    extra: { name, version, assetTransferMethod: "eip3009" },
  };
}

export function descriptionOf({ credits, id }: Pack): string {
  return `${credits} credits (pack ${id})`;
}

/** Converted from lower case, so that an address with a wrong checksum is accepted as well. */
export function checksummed(address: string): string {
  return Address.checksum(address.toLowerCase());
}

import type { PrivateKeyAccount } from "viem/accounts";
import type { Authorization } from "../../../../src/domain/payments/direct/chain/chain.ts";
import type { Payload, Requirements } from "../../../../src/domain/payments/direct/protocol/x402.ts";
import { type Payment, type PaymentChanges, pay } from "../../../payments/wallet.ts";
import type { Devnet } from "./devnet.ts";

/** Makes payment requirements of ten dollars to the seller. */
export function priceOn({
  network,
  token,
  payTo,
}: Devnet): Requirements & { asset: `0x${string}`; payTo: `0x${string}` } {
  return {
    scheme: "exact",
    network,
    amount: "10000000",
    asset: token,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: "Test USD", version: "2", assetTransferMethod: "eip3009" },
  };
}

/** Signs a payment as an honest client does, with changes. */
export async function payOn(
  devnet: Devnet,
  account: PrivateKeyAccount,
  otherwise?: PaymentChanges,
): Promise<Payment & Payload> {
  const { timestamp } = await devnet.client.getBlock();
  const price = { x402Version: 2, resource: { url: "http://beckon.test" }, accepts: [priceOn(devnet)] } as const;
  return (await pay(account, price, Number(timestamp), otherwise)) as Payment & Payload;
}

/** The authorization of a payment, as the chain is searched for it. */
export function authorizationIn({ payload: { authorization } }: Payment): Authorization {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    value,
    validAfter: Number(validAfter),
    validBefore: Number(validBefore),
    nonce,
  };
}

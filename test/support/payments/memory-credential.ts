import { encodePacked, keccak256 } from "viem";
import type { Challenge } from "../../../src/domain/payments/direct/protocol/challenge.ts";
import { type MemoryWallet, type SignedFields, signatureOf } from "./memory-wallet.ts";

type ChallengeParameters = Challenge & Record<"id" | "description" | "header", string>;

/** Reads the parameters of a `Payment` challenge in `WWW-Authenticate`. */
export function parametersOf(header: string): ChallengeParameters {
  return Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as ChallengeParameters;
}

/** Makes the credential by which a wallet answers a challenge, before base64url (draft-evm-charge-00). */
export function credentialOf(challenge: ChallengeParameters, wallet: MemoryWallet, fields: Partial<SignedFields> = {}) {
  const { amount, recipient } = JSON.parse(Buffer.from(challenge.request, "base64url").toString());
  const authorization: SignedFields = {
    from: wallet.address,
    to: recipient,
    value: amount,
    validAfter: "0",
    validBefore: String(Math.floor(Date.parse(challenge.expires) / 1000)),
    nonce: keccak256(encodePacked(["string", "string"], [challenge.id, challenge.realm])),
    ...fields,
  };
  return { challenge, payload: { type: "authorization", ...authorization, signature: signatureOf(authorization) } };
}

/** Encodes a credential as a PresentedPayment. */
export function presentCredential(credential: unknown) {
  return { scheme: "payment", text: Buffer.from(JSON.stringify(credential)).toString("base64url") } as const;
}

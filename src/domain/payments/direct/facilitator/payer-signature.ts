import type { Hex } from "ox/Hex";
import * as Secp256k1 from "ox/Secp256k1";
import * as TypedData from "ox/TypedData";
import { checksummed } from "../protocol/terms.ts";
import type { Payload } from "../protocol/x402.ts";
import type { Facilitator } from "./facilitator.ts";

/**
 * Calls a facilitator only with payments that the payer's own key has signed. The signature is checked here, and
 * decides whose payment it is: whoever claims a payment with the signature of another key gets nothing when it lands.
 * Contract wallets (ERC-1271) do not sign with a key.
 */
export function requirePayerSignature(facilitator: Facilitator): Facilitator {
  return {
    serves: (network) => facilitator.serves(network),
    async verify(payload, requirements) {
      if (!isPayerSigned(payload)) return { isValid: false, reason: "invalid_signature" };
      const verdict = await facilitator.verify(normalized(payload), requirements);
      // The signature was verified just above.
      const isDenied = !verdict.isValid && verdict.reason === "invalid_signature";
      return isDenied ? { isValid: false, reason: "refused_by_facilitator" } : verdict;
    },
    async settle(payload, requirements) {
      if (isPayerSigned(payload)) return facilitator.settle(normalized(payload), requirements);
      return { outcome: "refused", reason: "invalid_signature" };
    },
  };
}

/** EIP-712, as the token checks it (EIP-3009): an s in the lower half, and a v that is 27 or 28. */
function isPayerSigned({ accepted, payload: { authorization, signature } }: Payload): boolean {
  const { network, asset, extra } = accepted;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER || !/1[bc]$/i.test(signature)) return false;
  try {
    const payload = TypedData.getSignPayload({
      domain: {
        name: extra.name,
        version: extra.version,
        chainId: Number(network.slice("eip155:".length)),
        verifyingContract: asset as Hex,
      },
      types: { TransferWithAuthorization },
      primaryType: "TransferWithAuthorization",
      message: {
        from: checksummed(from) as Hex,
        to: checksummed(to) as Hex,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        nonce: nonce as Hex,
      },
    });
    const signer = Secp256k1.recoverAddress({ payload, signature: signature as Hex });
    return signer.toLowerCase() === from.toLowerCase();
  } catch {
    return false;
  }
}

/** The address with its checksum (EIP-55), which every library accepts. The signature covers only its bytes. */
function normalized(payload: Payload): Payload {
  const { signature, authorization } = payload.payload;
  const { from, to, nonce } = authorization;
  const spelt = { ...authorization, from: checksummed(from), to: checksummed(to), nonce: nonce.toLowerCase() };
  return { ...payload, payload: { signature, authorization: spelt } };
}

/** Half the order of secp256k1: in the other half there is a second signature of the same message. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const TransferWithAuthorization = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
] as const;

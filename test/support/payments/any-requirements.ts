import fc from "fast-check";
import { getAddress, type Hex } from "viem";
import type { Requirements } from "../../../src/domain/payments/direct/protocol/x402.ts";

export const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);

/** An address in lower case, or with its checksum (EIP-55). */
const anyAddress = fc
  .tuple(hex(20), fc.boolean())
  .map(([address, isChecked]) => (isChecked ? getAddress(address) : address));

// Parsed JSON, with which they are compared, has no objects without a prototype.
const plain = { noNullPrototype: true } as const;

/** PaymentRequirements of the scheme `exact` on EVM. */
export const anyRequirements = fc.record(
  {
    scheme: fc.constant("exact" as const),
    network: fc.integer({ min: 1, max: 100_000 }).map((id) => `eip155:${id}` as const),
    amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 2n }).map(String),
    asset: anyAddress,
    payTo: anyAddress,
    maxTimeoutSeconds: fc.integer({ min: 1, max: 900 }),
    extra: fc.record(
      {
        name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
        version: fc.constantFrom("1", "2"),
        assetTransferMethod: fc.constant("eip3009" as const),
      },
      plain,
    ),
  },
  plain,
) satisfies fc.Arbitrary<Requirements>;

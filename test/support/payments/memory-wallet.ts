import { createHash } from "node:crypto";
import type { Payload, Requirements } from "../../../src/domain/payments/direct/protocol/x402.ts";
import { CHAIN } from "./memory-token.ts";

export type SignedFields = Payload["payload"]["authorization"];

/** A wallet of a MemoryChain. Its signatures are hashes, which are valid for one message only. */
export class MemoryWallet {
  readonly address: string;
  #nonces = 0;

  constructor(name: string) {
    this.address = `0x${digest(name).slice(0, 40)}`;
  }

  /** Signs a new payment, as PAYMENT-SIGNATURE contains it before base64. */
  pay(requirements: Requirements, now: number, fields: Partial<SignedFields> = {}) {
    const seconds = Math.floor(now / 1000);
    const authorization: SignedFields = {
      from: this.address,
      to: requirements.payTo,
      value: requirements.amount,
      validAfter: String(seconds - 600),
      validBefore: String(seconds + requirements.maxTimeoutSeconds),
      nonce: `0x${digest(`${this.address}/${this.#nonces++}`)}`,
      ...fields,
    };
    const signature = signatureOf(authorization);
    return { x402Version: 2, accepted: requirements, payload: { signature, authorization } } satisfies Payload;
  }
}

/** The signature of `from` for a message of the test token. */
export function signatureOf(authorization: SignedFields): string {
  const message = JSON.stringify([CHAIN.asset, Object.entries(authorization).sort()]).toLowerCase();
  return `0x${digest(`r${message}`)}${digest(`s${message}`)}1b`;
}

/** Encodes a value for a header. */
export function asHeader(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

import type { Authorization } from "../../../src/domain/payments/direct/chain/chain.ts";
import {
  type Facilitator,
  FacilitatorUnreachable,
  type Verdict,
} from "../../../src/domain/payments/direct/facilitator/facilitator.ts";
import type { Reason } from "../../../src/domain/payments/direct/protocol/reasons.ts";
import type { Payload, Requirements } from "../../../src/domain/payments/direct/protocol/x402.ts";
import type { MemoryChain } from "./memory-chain.ts";
import { signatureOf } from "./memory-wallet.ts";

type Settlement = Awaited<ReturnType<Facilitator["settle"]>>;

/**
 * How a facilitator settles: what it does, and what it says of it.
 *
 * - `honest`: hands the payment over, and says what came of it.
 * - `lost answer`: hands it over, and is not heard any more. `never`: is not heard, and has not.
 * - `liar`: says that it is done, and has done nothing. `denier`: says that it was refused, and it is done.
 * - `refuses`: does nothing, and says so.
 * - `dies before`, `dies after`: handing it over; it never answers, nor does the process that waits for it.
 */
export type FacilitatorBehaviour =
  | "honest"
  | "loses answer"
  | "unreachable"
  | "false success"
  | "false refusal"
  | "refuses"
  | "throws"
  | "hangs before submitting"
  | "hangs after submitting";

/** Brings payments to a MemoryChain, in whatever behaviour it is told. */
export class MemoryFacilitator implements Facilitator {
  behaviour: FacilitatorBehaviour = "honest";
  /** Does not answer whether a payment is valid. */
  isSilent = false;
  /** Called before it does what it is asked, to hold it up or to fail it. */
  before: (asked: "verify" | "settle") => Promise<void> | void = () => undefined;
  /** Called once it has handed a payment over, before it says so. */
  handedOver: () => Promise<void> | void = () => undefined;
  /** What it was asked so far. */
  verified: Payload[] = [];
  settled: Payload[] = [];
  readonly #chain: MemoryChain;

  constructor(chain: MemoryChain) {
    this.#chain = chain;
  }

  async verify(payload: Payload, requirements: Requirements): Promise<Verdict> {
    this.verified.push(payload);
    await this.before("verify");
    if (this.isSilent) throw new FacilitatorUnreachable();
    const reason = await this.#faultOf(payload, requirements);
    return reason ? { isValid: false, reason } : { isValid: true };
  }

  async settle(payload: Payload): Promise<Settlement> {
    this.settled.push(payload);
    await this.before("settle");
    const { behaviour } = this;
    if (behaviour === "throws") throw new Error("against its contract");
    if (behaviour === "hangs before submitting") return new Promise(() => undefined);
    const handsOver = ["honest", "loses answer", "false refusal", "hangs after submitting"].includes(behaviour);
    const hash = handsOver ? this.#handOver(payload) : null;
    if (handsOver) await this.handedOver();
    if (behaviour === "hangs after submitting") return new Promise(() => undefined);
    if (behaviour === "honest" && this.#chain.automine && !this.#chain.hasMined(hash!))
      return { outcome: "refused", reason: "transfer_failed" };
    if (behaviour === "refuses" || behaviour === "false refusal")
      return { outcome: "refused", reason: "refused_by_facilitator" };
    const isDone = behaviour === "false success" || (behaviour === "honest" && this.#chain.automine);
    return { outcome: isDone ? "done" : "unknown" };
  }

  async serves(): Promise<boolean> {
    return true;
  }

  #handOver(payload: Payload): string {
    return this.#chain.submit({ call: "transferWithAuthorization", authorization: authorizationOf(payload) });
  }

  async #faultOf({ payload }: Payload, { amount }: Requirements): Promise<Reason | null> {
    const { authorization, signature } = payload;
    const payer = authorization.from.toLowerCase();
    if (this.#chain.isUsed(payer, authorization.nonce.toLowerCase())) return "already_used";
    if (signature.toLowerCase() !== signatureOf(authorization)) return "invalid_signature";
    return this.#chain.balanceOf(payer) < BigInt(amount) ? "insufficient_funds" : null;
  }
}

/** The message as the chain reads it. */
export function authorizationOf({ payload }: Payload): Authorization {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  return {
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    value,
    validAfter: Number(validAfter),
    validBefore: Number(validBefore),
    nonce: nonce.toLowerCase(),
  };
}

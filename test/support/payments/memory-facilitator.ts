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
 * How a facilitator settles, and what it answers.
 *
 * - `honest`: submits the payment to the chain, and answers with the true outcome.
 * - `loses answer`: submits it, and the answer is lost. `unreachable`: does not submit it, and does not answer.
 * - `false success`: answers that it was done, but has not submitted it. `false refusal`: submits it, and answers "refused".
 * - `refuses`: does not submit it, and answers so. `throws`: throws an error that the interface does not allow.
 * - `hangs before submitting`, `hangs after submitting`: never answers, so that the call waits for ever, as in a crash.
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

/** A facilitator that submits payments to a MemoryChain. Tests choose how it behaves. */
export class MemoryFacilitator implements Facilitator {
  behaviour: FacilitatorBehaviour = "honest";
  /** Does not answer `verify`. */
  isSilent = false;
  /** Called before each request is processed, to delay it or to fail it. */
  before: (asked: "verify" | "settle") => Promise<void> | void = () => undefined;
  /** Called after a payment was submitted, before the answer. */
  handedOver: () => Promise<void> | void = () => undefined;
  /** Payments it was asked to verify, and to settle. */
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
    if (behaviour === "throws") throw new Error("an error of the facilitator");
    if (behaviour === "hangs before submitting") return new Promise(() => undefined);
    const submits = ["honest", "loses answer", "false refusal", "hangs after submitting"].includes(behaviour);
    const hash = submits ? this.#submit(payload) : null;
    if (submits) await this.handedOver();
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

  #submit(payload: Payload): string {
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

/** The authorization of a payment, as the chain compares it. */
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

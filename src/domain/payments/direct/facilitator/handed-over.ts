import { MINUTE, SECOND } from "../../../../platform/clock.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";
import type { SentTransaction } from "./wallet/unmined.ts";

/** The clocks of the chain and of this machine differ by less than this. */
const SKEW = 2 * MINUTE;

/** A payment that this process was asked to settle, and that may not have reached the chain. */
export interface HandedOver {
  readonly payload: Payload;
  readonly requirements: Requirements;
  /** The last transaction that was made of it, if any. */
  sent: SentTransaction | null;
}

/** The payments that were submitted and are not known to be decided; each payment once. */
export class HandedOverPayments {
  readonly #byKey = new Map<string, HandedOver>();

  get size(): number {
    return this.#byKey.size;
  }

  all(): HandedOver[] {
    return [...this.#byKey.values()];
  }

  add(payload: Payload, requirements: Requirements): HandedOver {
    const key = keyOf({ payload, requirements });
    const known = this.#byKey.get(key) ?? { payload, requirements, sent: null };
    this.#byKey.set(key, known);
    return known;
  }

  drop(payment: HandedOver): void {
    this.#byKey.delete(keyOf(payment));
  }

  /** Drops payments that no token accepts any more, whatever their outcome. */
  dropExpired(now: number): void {
    for (const payment of this.all()) {
      const { validBefore } = payment.payload.payload.authorization;
      if (Number(validBefore) * SECOND + SKEW < now) this.drop(payment);
    }
  }
}

/** The fields by which the token distinguishes payments (EIP-3009). */
function keyOf({ payload, requirements }: Pick<HandedOver, "payload" | "requirements">): string {
  const { from, nonce } = payload.payload.authorization;
  return [requirements.asset, from, nonce].join("/").toLowerCase();
}

import { MINUTE, SECOND } from "../../../../platform/clock.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";
import type { SentTransaction } from "./wallet/unmined.ts";

/** The clocks of the chain and of this machine differ by less. */
const SKEW = 2 * MINUTE;

/** A payment that this process was given to settle, and that may not have reached the chain. */
export interface HandedOver {
  readonly payload: Payload;
  readonly requirements: Requirements;
  /** The transaction that was made of it last, if any was. */
  sent: SentTransaction | null;
}

/** The payments that were handed over and are not known to be decided; no payment is in it twice. */
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

  /** Forgets what no token takes any more, whatever became of it. */
  dropExpired(now: number): void {
    for (const payment of this.all()) {
      const { validBefore } = payment.payload.payload.authorization;
      if (Number(validBefore) * SECOND + SKEW < now) this.drop(payment);
    }
  }
}

/** As the token itself tells payments apart (EIP-3009). */
function keyOf({ payload, requirements }: Pick<HandedOver, "payload" | "requirements">): string {
  const { from, nonce } = payload.payload.authorization;
  return [requirements.asset, from, nonce].join("/").toLowerCase();
}

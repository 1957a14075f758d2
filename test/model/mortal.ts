import type { Chain } from "../../src/payments/direct/chain.ts";
import type { Facilitator } from "../../src/payments/direct/facilitator.ts";
import type { Market } from "./market.ts";
import type { Process } from "./world.ts";

type Burn = Process["burn"];

/** The chain as one process asks it, which may die when it has heard the answer. */
export function mortalChain(chain: Chain, burn: Burn): Chain {
  const heard = async <T>(answer: Promise<T>) => {
    const said = await answer;
    burn("after look");
    return said;
  };
  return {
    head: () => heard(chain.head()),
    finalized: () => heard(chain.finalized()),
    isUsed: (payer, nonce) => heard(chain.isUsed(payer, nonce)),
    transferOf: (authorization, since) => heard(chain.transferOf(authorization, since)),
    token: () => heard(chain.token()),
  };
}

/** The facilitator as one process asks it, which may die before it has handed a payment over, and after. */
export function mortalFacilitator(market: Market, burn: Burn): Facilitator {
  const { facilitator } = market;
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    serves: () => facilitator.serves(),
    async settle(payload) {
      const { nonce } = payload.payload.authorization;
      const payment = market.payments.find(({ signed }) => signed.payload.authorization.nonce === nonce)!;
      burn("before settle");
      payment.takers ??= new Set(payment.presenting);
      const { meanwhile } = market;
      market.meanwhile = null;
      await meanwhile?.();
      const said = await facilitator.settle(payload);
      if (said.outcome === "refused") payment.isRefused = true;
      burn("after settle");
      return said;
    },
  };
}

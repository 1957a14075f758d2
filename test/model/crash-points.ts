import type { Chain } from "../../src/domain/payments/direct/chain/chain.ts";
import type { Facilitator } from "../../src/domain/payments/direct/facilitator/facilitator.ts";
import type { Payload } from "../../src/domain/payments/direct/protocol/x402.ts";
import { authorizationOf } from "../support/payments/memory-facilitator.ts";
import type { Market, SignedPayment } from "./market.ts";
import type { Process } from "./world.ts";

type CrashIfDue = Process["crashIfDue"];

/** The chain as one process asks it, which may die when it has heard the answer. */
export function crashingChain(chain: Chain, crashIfDue: CrashIfDue): Chain {
  const heard = async <T>(answer: Promise<T>) => {
    const said = await answer;
    crashIfDue("after look");
    return said;
  };
  return {
    latest: () => heard(chain.latest()),
    final: () => heard(chain.final()),
    verify: (block) => heard(chain.verify(block)),
    authorizationState: (search) => heard(chain.authorizationState(search)),
    token: () => heard(chain.token()),
  };
}

/** The facilitator as one process asks it, which may die before it has handed a payment over, and after. */
export function crashingFacilitator(market: Market, crashIfDue: CrashIfDue): Facilitator {
  const { facilitator, chain } = market;
  return {
    serves: () => facilitator.serves(),
    async verify(payload, requirements) {
      const verdict = await facilitator.verify(payload, requirements);
      if (!market.frontRun || !verdict.isValid) return verdict;
      market.frontRun = false;
      // A process that dies before it has written the payment down owes nothing for it.
      market.world.crashPlan = null;
      chain.submit({ call: "transferWithAuthorization", authorization: authorizationOf(payload) });
      return verdict;
    },
    async settle(payload) {
      const payment = paymentIn(market, payload);
      crashIfDue("before settle");
      const isFirst = payment.takers === null;
      payment.takers ??= new Set(payment.presenting);
      const { meanwhile } = market;
      market.meanwhile = null;
      await meanwhile?.();
      const said = await facilitator.settle(payload);
      if (said.outcome === "refused" && isFirst) payment.isRefused = true;
      crashIfDue("after settle");
      return said;
    },
  };
}

function paymentIn({ payments }: Market, { payload }: Payload): SignedPayment {
  return payments.find(({ signed }) => signed.payload.authorization.nonce === payload.authorization.nonce)!;
}

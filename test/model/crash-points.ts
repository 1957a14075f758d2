import type { Chain } from "../../src/domain/payments/direct/chain/chain.ts";
import type { Facilitator } from "../../src/domain/payments/direct/facilitator/facilitator.ts";
import type { Payload } from "../../src/domain/payments/direct/protocol/x402.ts";
import { authorizationOf } from "../support/payments/memory-facilitator.ts";
import type { Market, SignedPayment } from "./market.ts";
import type { Process } from "./world.ts";

type CrashIfDue = Process["crashIfDue"];

/** The chain as one process uses it, which can crash after each answer. */
export function crashingChain(chain: Chain, crashIfDue: CrashIfDue): Chain {
  const crashAfter = async <T>(answer: Promise<T>) => {
    const value = await answer;
    crashIfDue("after look");
    return value;
  };
  return {
    latest: () => crashAfter(chain.latest()),
    final: () => crashAfter(chain.final()),
    verify: (block) => crashAfter(chain.verify(block)),
    authorizationState: (search) => crashAfter(chain.authorizationState(search)),
    token: () => crashAfter(chain.token()),
  };
}

/** The facilitator as one process uses it, which can crash before and after the settlement of a payment. */
export function crashingFacilitator(market: Market, crashIfDue: CrashIfDue): Facilitator {
  const { facilitator, chain } = market;
  return {
    serves: () => facilitator.serves(),
    async verify(payload, requirements) {
      const verdict = await facilitator.verify(payload, requirements);
      if (!market.frontRun || !verdict.isValid) return verdict;
      market.frontRun = false;
      // No crash here: a payment that is not in the journal yet would not have to be credited.
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
      const settlement = await facilitator.settle(payload);
      if (settlement.outcome === "refused" && isFirst) payment.isRefused = true;
      crashIfDue("after settle");
      return settlement;
    },
  };
}

function paymentIn({ payments }: Market, { payload }: Payload): SignedPayment {
  return payments.find(({ signed }) => signed.payload.authorization.nonce === payload.authorization.nonce)!;
}

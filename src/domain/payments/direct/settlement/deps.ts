import type { DirectSettings } from "../../../../platform/config/payment.ts";
import type { PaymentDeps } from "../../orders/deps.ts";
import type { Pack } from "../../orders/packs.ts";
import type { Chain } from "../chain/chain.ts";
import type { Facilitator } from "../facilitator/facilitator.ts";
import { challengeSecret } from "../protocol/challenge-secret.ts";
import type { ExpectedPayment } from "../protocol/parsed-payment.ts";
import { type Domain, requirementsOf, type Terms } from "../protocol/terms.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Timeouts } from "./timeouts.ts";

export interface DirectDeps extends PaymentDeps {
  readonly settings: DirectSettings;
  readonly chain: Chain;
  readonly facilitator: Facilitator;
  /** EIP-712 domain of the token. @throws Refusal unavailable while the chain has not been reached since the start */
  domain(): Promise<Domain>;
  /** Default: TIMEOUTS. */
  readonly timeouts?: Timeouts;
}

/** What settling needs in addition; all of it follows from the settings. */
export interface SettlementDeps extends DirectDeps {
  readonly terms: Terms;
  readonly timeouts: Timeouts;
  readonly checkpoint: Checkpoint;
}

/**
 * What a payment for this pack has to match now.
 * @throws Refusal unavailable
 */
export async function expectedPayment(
  { db, clock, terms, domain }: SettlementDeps,
  pack: Pack,
): Promise<ExpectedPayment> {
  const requirements = requirementsOf(terms, await domain(), pack);
  return { terms, requirements, secret: await challengeSecret(db), now: clock.now() };
}

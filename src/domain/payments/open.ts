import type { Config } from "../../platform/config/config.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { PaymentDeps, PaymentLog } from "./orders/deps.ts";
import type { Payments } from "./payments.ts";

/**
 * Loads what the settings need, and checks direct payment against its chain, before the service listens.
 * @returns makes the payments once the address of the service is known
 * @throws Error naming the setting that does not fit the chain
 */
export async function loadPayments(config: Config, log: PaymentLog): Promise<(deps: PaymentDeps) => Payments> {
  // viem takes 0.7 s and 70 MB to load, stripe 0.1 s, which nobody pays who has no use for them.
  const openDirect =
    config.direct &&
    (await (await import("./direct/open.ts")).loadDirect(config.direct, log, createHttpClient(config)));
  const openCards = config.cards !== "none" && (await import("./cards/open.ts")).openCards;
  return (deps) => ({ cards: openCards ? openCards(deps) : null, direct: openDirect?.(deps) ?? null });
}

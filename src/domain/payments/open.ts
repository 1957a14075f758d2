import type { Config } from "../../platform/config/config.ts";
import { PAYMENT_METHODS } from "./methods.ts";
import type { PaymentDeps, PaymentLog } from "./orders/deps.ts";
import type { Payments } from "./payments.ts";

/**
 * Loads what the settings need, and checks direct payment against its chain, before the service listens.
 * @returns makes the payments once the address of the service is known
 * @throws Error naming the setting that does not fit the chain
 */
export async function loadPayments(config: Config, log: PaymentLog): Promise<(deps: PaymentDeps) => Payments> {
  const openDirect = await PAYMENT_METHODS.evm.load(config, log);
  const openCards = config.cards === "none" ? null : await PAYMENT_METHODS[config.cards].load();
  return (deps) => ({ cards: openCards?.(deps) ?? null, direct: openDirect?.(deps) ?? null });
}

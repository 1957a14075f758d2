import type { Config } from "../../platform/config/config.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import { cardMethodOf, directMethodOf } from "./find-method.ts";
import type { PaymentDeps, StartDeps } from "./orders/deps.ts";
import type { Payments } from "./payments.ts";

/**
 * Loads what the settings need, and checks direct payment against its chain, before the service listens.
 * @returns makes the payments once the address of the service is known
 * @throws Error naming the setting that does not fit the chain
 */
export async function loadPayments(config: Config, parts: StartDeps): Promise<(deps: PaymentDeps) => Payments> {
  const openDirect = await directMethodOf(config)?.load(config, parts, createHttpClient(config));
  const openCards = await cardMethodOf(config)?.load();
  return (deps) => ({ cards: openCards?.(deps) ?? null, direct: openDirect?.(deps) ?? null });
}

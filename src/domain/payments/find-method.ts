import type { Config } from "../../platform/config/config.ts";
import type { CardMethod, DirectMethod, PaymentFacts, PaymentMethod } from "./method.ts";
import { PAYMENT_METHODS } from "./methods.ts";

const METHODS: Readonly<Record<string, PaymentMethod>> = PAYMENT_METHODS;

/** The ids of all methods, as orders have them. */
export const METHOD_IDS = Object.keys(PAYMENT_METHODS) as OrderMethod[];
export type OrderMethod = keyof typeof PAYMENT_METHODS;

/** Methods by which a user pays on a payment page, by id. */
export const CARD_METHODS: ReadonlyMap<string, CardMethod> = new Map(
  Object.entries(METHODS).flatMap(([id, row]) => (row.kind === "card" ? [[id, row] as const] : [])),
);

/**
 * The method of an order.
 * @returns undefined for a method that no longer exists
 */
export function methodOf({ method }: { readonly method: string }): PaymentMethod | undefined {
  return Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
}

/** Whether an order is about real money; false for a sandbox payment, a test key of Stripe, or a test network. */
export function isLiveOrder(order: PaymentFacts): boolean {
  return methodOf(order)?.isLive(order) ?? true;
}

/** The method by which this deployment takes cards; null: it takes none. */
export function cardMethodOf({ cards }: Pick<Config, "cards">): CardMethod | null {
  return CARD_METHODS.get(cards) ?? null;
}

/** The method by which calls of this deployment can carry their payment; null: they cannot. */
export function directMethodOf(config: Config): DirectMethod | null {
  for (const row of Object.values(METHODS)) if (row.kind === "direct" && row.isSet(config)) return row;
  return null;
}

/** Decimals of an amount in an offer by this method. */
export function decimalsOf(offerMethod: string): number {
  const selling = Object.values(METHODS).flatMap((row) => (row.kind === "grant" ? [] : [row.offer]));
  return selling.find(({ method }) => method === offerMethod)!.decimals;
}

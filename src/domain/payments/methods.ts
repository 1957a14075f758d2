import type { Config } from "../../platform/config/config.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { CardProcessor } from "./cards/card-processor.ts";
import type { DirectPayments } from "./direct/direct-payments.ts";
import type { PaymentDeps, PaymentLog } from "./orders/deps.ts";
import type { OrderMethod } from "./orders/orders.ts";

/** A person pays on a payment page, and signed events tell what became of it. */
export interface CardMethod {
  readonly kind: "card";
  /** What pages call it. */
  readonly name: string;
  /** Its payment page is one of our own, and no money moves there. */
  readonly isSandbox: boolean;
  /** Who takes the cards, for the operator. */
  describe(config: Config): string;
  /** Loads its code. @returns opens it once the address of the service is known */
  load(): Promise<(deps: PaymentDeps) => CardProcessor>;
}

/** A call carries its payment itself. */
export interface DirectMethod {
  readonly kind: "direct";
  /** What pages call it. */
  readonly name: string;
  /**
   * Loads its code, and holds its settings against what they name.
   * @returns opens it once the address of the service is known; null where it is not set up
   * @throws Error naming the setting that does not fit
   */
  load(config: Config, log: PaymentLog): Promise<((deps: PaymentDeps) => DirectPayments) | null>;
}

/**
 * Every payment method. Its code is imported when it is needed: viem takes 0.7 s and 70 MB to load, stripe 0.1 s.
 */
export const PAYMENT_METHODS = {
  stripe: {
    kind: "card",
    name: "card",
    isSandbox: false,
    describe: ({ stripe }) => (stripe?.isLive ? "Stripe, with real money" : "Stripe, with test keys"),
    async load() {
      const { stripeProcessor } = await import("./cards/stripe/processor.ts");
      return (deps) => stripeProcessor(deps, deps.config.stripe!);
    },
  },
  evm: {
    kind: "direct",
    name: "direct payment",
    async load(config, log) {
      if (!config.direct) return null;
      const { loadDirect } = await import("./direct/open.ts");
      return loadDirect(config.direct, log, createHttpClient(config));
    },
  },
  sandbox: {
    kind: "card",
    name: "sandbox",
    isSandbox: true,
    describe: () => "the payment page of the sandbox, where no money moves",
    load: async () => (await import("./cards/sandbox/processor.ts")).sandboxProcessor,
  },
} as const satisfies Readonly<Record<OrderMethod, CardMethod | DirectMethod>>;

/** The method of an order. @returns undefined for one that is not there any more */
export function methodOf({ method }: { readonly method: string }): CardMethod | DirectMethod | undefined {
  return Object.hasOwn(PAYMENT_METHODS, method) ? PAYMENT_METHODS[method as OrderMethod] : undefined;
}

/** Methods by which a person pays on a page. */
export const CARD_METHODS = Object.entries(PAYMENT_METHODS).flatMap(([id, { kind }]) => (kind === "card" ? [id] : []));

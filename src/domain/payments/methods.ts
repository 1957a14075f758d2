import type { Config } from "../../platform/config/config.ts";
import { isTestNetwork } from "../../platform/config/test-networks.ts";
import { STRIPE_WEBHOOK } from "./cards/stripe/webhook.ts";
import type { PaymentFacts, PaymentMethod } from "./method.ts";
import type { Transaction } from "./orders/orders.ts";
import { CURRENCY } from "./orders/packs.ts";

/** Cards are offered as Stripe's method of the scheme `Payment`, in the sandbox too. */
const CARD_OFFER = { method: "stripe", decimals: 2, currency: () => CURRENCY };

/**
 * Every payment method. What is published, shown and checked of a method follows from its row. Its code is imported when it is
 * needed, because the libraries of direct payment and of Stripe are slow to load.
 */
export const PAYMENT_METHODS = {
  stripe: {
    kind: "card",
    name: "card",
    processor: "Stripe",
    isSandbox: false,
    setting: "STRIPE_SECRET_KEY",
    describe: ({ stripe }) => (stripe?.isLive ? "Stripe, with real money" : "Stripe, with test keys"),
    // Stripe writes the mode of the key into the id of the checkout session.
    isLive: ({ reference }) => reference?.startsWith("cs_test_") !== true,
    offer: CARD_OFFER,
    webhook: STRIPE_WEBHOOK,
    async load() {
      const { stripeProcessor } = await import("./cards/stripe/processor.ts");
      return (deps) => stripeProcessor(deps, deps.config.stripe!);
    },
  },
  evm: {
    kind: "direct",
    name: "direct payment",
    describe: describeDirect,
    isLive: isOnLiveNetwork,
    offer: { method: "evm", decimals: 6, currency: ({ direct }) => direct!.asset },
    isSet: ({ direct }) => direct !== undefined,
    async load({ direct }, parts, http) {
      const { loadDirect } = await import("./direct/open.ts");
      return loadDirect(direct!, parts, http);
    },
  },
  sandbox: {
    kind: "card",
    name: "sandbox",
    processor: "the sandbox",
    isSandbox: true,
    describe: () => "the payment page of the sandbox, where no money moves",
    isLive: () => false,
    offer: CARD_OFFER,
    webhook: STRIPE_WEBHOOK,
    load: async () => (await import("./cards/sandbox/processor.ts")).sandboxProcessor,
  },
  operator: {
    kind: "grant",
    name: "granted by the operator",
    isLive: () => true,
  },
} as const satisfies Readonly<Record<string, PaymentMethod>>;

function isOnLiveNetwork({ transaction }: PaymentFacts): boolean {
  return transaction === null || !isTestNetwork((JSON.parse(transaction) as Transaction).network);
}

function describeDirect({ direct }: Config): string {
  const { network, payTo, confirmations } = direct!;
  const worth = isTestNetwork(network) ? "a test network" : "with real money";
  return `open on ${network} (${worth}), paid to ${payTo} and settled by the facilitator, credited after ${confirmations} block${confirmations === 1 ? "" : "s"}`;
}

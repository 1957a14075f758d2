import type { Config } from "../../platform/config/config.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { CardProcessor } from "./cards/card-processor.ts";
import type { DirectPayments } from "./direct/direct-payments.ts";
import type { PaymentDeps, PaymentLog } from "./orders/deps.ts";
import type { OrderRow } from "./orders/orders.ts";

export type PaymentMethod = CardMethod | DirectMethod;

interface Method {
  /** What pages call it. */
  readonly name: string;
  /** What it is open for here, for the operator. */
  describe(config: Config): string;
  /**
   * Whether an order that was made by it is about real money. Follows from the order alone, so that no later setting
   * changes it.
   */
  isLive(order: PaymentFacts): boolean;
  /** How prices are published that are paid by it. */
  readonly offer: {
    /** Its name among the methods of the HTTP authentication scheme `Payment`. */
    readonly method: string;
    /** Of its smallest unit: 2 where that is a cent. */
    readonly decimals: number;
    /** In lower case by ISO 4217, or the address of a token. */
    currency(config: Config): string;
  };
}

/** What an order records of its payment page, or of its transfer on a chain. */
export type PaymentFacts = Pick<OrderRow, "method" | "reference" | "transaction">;

/** A user pays on a payment page, and signed events tell what became of it. */
export interface CardMethod extends Method {
  readonly kind: "card";
  /** Who has the payment page, for the payer. */
  readonly processor: string;
  /** Its payment page is one of our own, and no money moves there. */
  readonly isSandbox: boolean;
  /** The setting that it needs. */
  readonly setting?: string;
  readonly webhook: CardWebhook;
  /** Loads its code. @returns opens it once the address of the service is known */
  load(): Promise<(deps: PaymentDeps) => CardProcessor>;
}

/** How events of a card processor come in. */
export interface CardWebhook {
  /** Below `/webhooks/`. */
  readonly path: string;
  /** The header that an event is signed in. Logs redact it. */
  readonly signatureHeader: string;
  /** Type of the event that says: the page was completed, and its money takes days. */
  readonly pendingFundsType: string;
}

/** A call carries its payment itself. */
export interface DirectMethod extends Method {
  readonly kind: "direct";
  isSet(config: Config): boolean;
  /**
   * Loads its code, and checks its settings against what they name.
   * @returns opens it once the address of the service is known
   * @throws Error naming the setting that does not fit
   */
  load(config: Config, log: PaymentLog, http: HttpClient): Promise<(deps: PaymentDeps) => DirectPayments>;
}

import type { Config } from "../../platform/config/config.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { CardProcessor } from "./cards/card-processor.ts";
import type { DirectPayments } from "./direct/direct-payments.ts";
import type { PaymentDeps, StartDeps } from "./orders/deps.ts";
import type { OrderRow } from "./orders/orders.ts";

export type PaymentMethod = SellingMethod | GrantMethod;
export type SellingMethod = CardMethod | DirectMethod;

interface Method {
  /** Its name on pages. */
  readonly name: string;
  /**
   * Whether an order made by it is about real money. It follows from the order alone, so that no later setting changes
   * it.
   */
  isLive(order: PaymentFacts): boolean;
}

/** The operator gives the credits, and nobody pays. */
export interface GrantMethod extends Method {
  readonly kind: "grant";
}

interface Selling extends Method {
  /** What it is open for in this deployment, for the operator. */
  describe(config: Config): string;
  /** How its prices are published. */
  readonly offer: {
    /** Its name among the methods of the HTTP authentication scheme `Payment`. */
    readonly method: string;
    /** Decimals of its smallest unit: 2 if that is a cent. */
    readonly decimals: number;
    /** In lower case by ISO 4217, or the address of a token. */
    currency(config: Config): string;
  };
}

/** What an order records of its payment page, or of its transfer on a chain. */
export type PaymentFacts = Pick<OrderRow, "method" | "reference" | "transaction">;

/** A user pays on a payment page, and signed events report the outcome. */
export interface CardMethod extends Selling {
  readonly kind: "card";
  /** Who has the payment page, for the payer. */
  readonly processor: string;
  /** Whether its payment page is our own, so that no money moves. */
  readonly isSandbox: boolean;
  /** The setting that it needs. */
  readonly setting?: string;
  readonly webhook: CardWebhook;
  /**
   * Loads its code.
   * @returns a function that opens it once the address of the service is known
   */
  load(): Promise<(deps: PaymentDeps) => CardProcessor>;
}

/** How events of a card processor are received. */
export interface CardWebhook {
  /** Path below `/webhooks/`. */
  readonly path: string;
  /** The header with the signature of an event. Logs redact it. */
  readonly signatureHeader: string;
  /** Type of the event that reports a completed page whose money takes days. */
  readonly pendingFundsType: string;
}

/** A call carries its payment itself. */
export interface DirectMethod extends Selling {
  readonly kind: "direct";
  isSet(config: Config): boolean;
  /**
   * Loads its code, and checks its settings against what they name.
   * @returns a function that opens it once the address of the service is known
   * @throws Error naming the setting that does not fit
   */
  load(config: Config, parts: StartDeps, http: HttpClient): Promise<(deps: PaymentDeps) => DirectPayments>;
}

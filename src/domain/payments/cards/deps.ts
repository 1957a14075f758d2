import type { Config } from "../../../platform/config/config.ts";
import type { PaymentDeps, PaymentLog } from "../orders/deps.ts";
import type { Cards } from "./card-processor.ts";

/** Where cards are taken, if anywhere: a part of `Payments`. */
export interface CardPayments {
  /** Null where cards are not taken. */
  readonly cards: Cards | null;
}

/** What an event of the card processor is applied with. */
export interface CardDeps extends Pick<PaymentDeps, "db" | "clock"> {
  readonly config: Pick<Config, "stripe">;
  readonly payments: CardPayments;
  readonly log: Pick<PaymentLog, "error">;
}

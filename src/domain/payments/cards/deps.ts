import type { PaymentDeps, PaymentLog } from "../orders/deps.ts";
import type { CardProcessor } from "./card-processor.ts";

/** Where cards are taken, if anywhere: a part of `Payments`. */
export interface WithCards {
  /** Null where cards are not taken. */
  readonly cards: CardProcessor | null;
}

/** What an event of the card processor is applied with. */
export interface CardDeps extends Pick<PaymentDeps, "db" | "clock"> {
  readonly payments: WithCards;
  readonly log: Pick<PaymentLog, "error">;
}

import type { PaymentDeps, PaymentLog } from "../orders/deps.ts";
import type { CardProcessor } from "./card-processor.ts";

/** The part of `Payments` that takes cards. */
export interface WithCards {
  /** Null where cards are not taken. */
  readonly cards: CardProcessor | null;
}

/** What an event of the card processor is applied with. */
export interface CardDeps extends Pick<PaymentDeps, "db" | "clock"> {
  readonly payments: WithCards;
  readonly log: Pick<PaymentLog, "error">;
}

import type { PaymentDeps, PaymentLog } from "../orders/deps.ts";
import type { CardProcessor } from "./card-processor.ts";

/** The part of `Payments` that takes cards. */
export interface WithCards {
  /** Null if cards are not accepted. */
  readonly cards: CardProcessor | null;
}

/** What applying an event of the card processor needs. */
export interface CardDeps extends Pick<PaymentDeps, "db" | "clock"> {
  readonly payments: WithCards;
  readonly log: Pick<PaymentLog, "error">;
}

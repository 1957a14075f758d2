import type { Engine, Tx } from "../../db/engine.ts";
import type { PresentedPayment } from "../domain/payments/orders/presented-payment.ts";
import type { Payments } from "../domain/payments/payments.ts";
import type { Spender } from "../domain/spending/spender.ts";
import type { Clock } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import type { HttpClient } from "../platform/http-client/http-client.ts";
import type { Principal } from "../platform/principal.ts";

/** What an answer has besides its body. */
export interface AnswerExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is the stored answer of an earlier call. */
  readonly replayed?: boolean;
}

/** What an operation gets besides its input. `Output` is the type of its answer. */
export interface CallContext<Output = unknown> {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Config;
  /** For requests to other servers; never inside `commit`. */
  readonly http: HttpClient;
  readonly payments: Payments;
  /** Null unless the operation takes payments and the call has one. */
  readonly payment: PresentedPayment | null;
  /** Null only where the operation's access is public. */
  readonly principal: Principal | null;
  /** What an approval of this call binds; null where there is no principal. */
  readonly spender: Spender | null;
  /** Requests of this account since midnight UTC, this one included. */
  readonly requestsToday: number;
  /** Aborted when the caller goes away or cancels; long work outside of `commit` ends then. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Runs the one transaction of an operation that changes something. What `work` writes, the answer stored for the
   * Idempotency-Key, and the count of the day are committed together or not at all.
   */
  commit(work: (tx: Tx) => Promise<Output>): Promise<Output>;
  /** Sets what the answer has besides its body; the last call counts. */
  answerWith(extras: AnswerExtras): void;
}

/** The calling account; only for operations whose access demands a credential. */
export function accountOf(ctx: CallContext<never> | CallContext): string {
  return callerOf(ctx).accountId;
}

/** Who calls; only for operations whose access demands a credential. */
export function callerOf({ principal }: CallContext<never> | CallContext): Principal {
  if (!principal) throw new Error("an operation with public access asked for its account");
  return principal;
}

/** Who spends, and of which account; only for operations that spend. */
export function spenderOf(ctx: CallContext<never> | CallContext): { accountId: string; spender: Spender } {
  if (!ctx.spender) throw new Error("an operation without a principal wanted to spend");
  return { accountId: accountOf(ctx), spender: ctx.spender };
}

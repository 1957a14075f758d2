import type { Answer, Call } from "../../contract/call.ts";
import type { Config } from "../../platform/config/config.ts";
import type { ErrorCode, ErrorFields } from "../../platform/errors/errors.ts";
import type { RawList } from "../../platform/json/raw-list.ts";

/** What the thread is started with. */
export interface BulkSetup {
  readonly config: Config;
}

/** A call as it is sent to the thread: the operation by name, a list that is kept as it came, with the times at which it was made. */
export interface BulkCall extends Omit<Call, "operation" | "signal"> {
  readonly operation: string;
  /** The `urls` of the input. */
  readonly list: Pick<RawList, "bytes" | "values"> | null;
  /** Real and service time at which it was made, in ms. */
  readonly now: number;
  readonly service: number;
}

export type ToThread =
  | { readonly type: "call"; readonly id: number; readonly call: BulkCall }
  /** The thread holds the writer's lock until it posts `unlock`. */
  | { readonly type: "locked"; readonly id: number }
  /** The caller of a call has gone. */
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "stop" };

export type FromThread =
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly type: "refusal"; readonly id: number; readonly refusal: PlainRefusal }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  /** The database did not answer. */
  | { readonly type: "unavailable"; readonly id: number; readonly message: string; readonly mayHaveHappened: boolean }
  | { readonly type: "lock"; readonly id: number }
  | { readonly type: "unlock"; readonly id: number };

export interface PlainRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields: ErrorFields;
  readonly headers: Readonly<Record<string, string>>;
}

/** The clock of a call on the thread. Real time goes on, because the caller's access may end during the call; service time stays. */
export function clockOfCall({ now, service }: { now: number; service: number }) {
  const begunAt = performance.now();
  return { now: () => now + Math.floor(performance.now() - begunAt), service: () => service };
}

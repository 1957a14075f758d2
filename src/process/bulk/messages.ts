import type { Answer, Call } from "../../contract/call.ts";
import type { Config } from "../../platform/config/config.ts";
import type { ErrorCode, ErrorFields } from "../../platform/errors/errors.ts";
import type { RawList } from "../../platform/json/raw-list.ts";

/** What the thread is started with. */
export interface BulkSetup {
  readonly config: Config;
}

/** A call as it is sent to the thread: the operation by name, a list that is kept as it came, both times fixed. */
export interface BulkCall extends Omit<Call, "operation" | "signal"> {
  readonly operation: string;
  /** The `urls` of the input. */
  readonly list: Pick<RawList, "bytes" | "values"> | null;
  /** Real and service time of the call, in ms; its clock does not advance. */
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

/** A clock that does not advance. */
export function frozenClock({ now, service }: { now: number; service: number }) {
  return { now: () => now, service: () => service };
}

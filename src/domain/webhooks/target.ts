import type { Engine, Tx } from "../../../db/engine.ts";
import type { Principal } from "../../platform/principal.ts";
import type { Attempt } from "./attempt.ts";
import type { DeliveryRow } from "./queue.ts";

/** What a delivery is for: a webhook, or a push configuration of a task. */
export interface DeliveryTarget {
  readonly id: string;
  /** Id of the credential that made it, or `person`. */
  readonly maker: string;
  readonly url: string;
  /**
   * The message as it is sent at this real time; null when there is nothing to tell any more, or this listener may not see it.
   * @throws Unsealable
   */
  messageAt(at: number, listener: Principal): Promise<DeliveryMessage | null>;
  /** Takes note of an attempt, in the transaction that writes it. */
  note(tx: Tx, attempt: Attempt, now: number): Promise<void>;
  /** Ends it, since its maker may not hear it any more, or there is nothing to tell. */
  end(tx: Tx, now: number): Promise<void>;
}

export interface DeliveryMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Finds the targets of one kind, by the ids of the deliveries that are for them. */
export type FindTargets = (
  db: Engine,
  deliveries: readonly DeliveryRow[],
) => Promise<ReadonlyMap<DeliveryRow["id"], DeliveryTarget>>;

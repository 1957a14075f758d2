import { sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import type { CheckOutcome, SendOutcome } from "../engines/engine.ts";

interface State {
  okAt: number | null;
  failedAt: number | null;
  failures: number;
  reason: string | null;
  dirty: boolean;
  writtenAt: number;
}

/**
 * Records whether each upstream succeeds or fails, for `beckon doctor`. A change is written to the database at once,
 * an unchanged state once a minute. Times are real.
 */
export class Health {
  readonly #states = new Map<string, State>();

  /** Records the outcomes of a call that a submitter has answered. */
  sent(outcomes: readonly SendOutcome[], now: number): void {
    for (const provider of new Set(outcomes.map((outcome) => outcome.provider))) this.succeeded(provider, now);
  }

  /** Records a batch of checks. A provider is up if it was available for any link. */
  checked(outcomes: readonly CheckOutcome[], now: number): void {
    const availability = new Map<string, boolean>();
    for (const { provider, available } of outcomes)
      availability.set(provider, (availability.get(provider) ?? false) || available);
    for (const [provider, available] of availability) {
      if (available) this.succeeded(provider, now);
      else this.failed(provider, "unavailable", now);
    }
  }

  succeeded(provider: string, now: number): void {
    const state = this.#state(provider);
    state.dirty ||= state.failures > 0 || now - state.writtenAt >= MINUTE;
    Object.assign(state, { okAt: now, failures: 0, reason: null });
  }

  failed(provider: string, reason: string, now: number): void {
    const state = this.#state(provider);
    state.dirty ||= state.failures === 0 || now - state.writtenAt >= MINUTE;
    Object.assign(state, { failedAt: now, failures: state.failures + 1, reason });
  }

  async flush(db: Engine, now: number): Promise<void> {
    const changed = [...this.#states].filter(([, state]) => state.dirty);
    if (changed.length === 0) return;
    await db.tx(async (tx) => {
      const { providers } = tx.t;
      for (const [name, { okAt, failedAt, failures, reason }] of changed) {
        const row = { name, okAt, failedAt, failures, reason };
        const update = {
          ...row,
          okAt: sql`coalesce(${okAt}, ${providers.okAt})`,
          failedAt: sql`coalesce(${failedAt}, ${providers.failedAt})`,
        };
        await tx.q.insert(providers).values(row).onConflictDoUpdate({ target: providers.name, set: update });
      }
    });
    for (const [, state] of changed) Object.assign(state, { dirty: false, writtenAt: now });
  }

  #state(provider: string): State {
    let state = this.#states.get(provider);
    if (!state) {
      state = { okAt: null, failedAt: null, failures: 0, reason: null, dirty: false, writtenAt: 0 };
      this.#states.set(provider, state);
    }
    return state;
  }
}

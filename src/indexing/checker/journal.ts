import { asc, eq } from "drizzle-orm";
import type { StepRow } from "../../domain/projects/read.ts";
import { newId } from "../../platform/ids.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import type { Journal, JournalledCall, SendOutcome } from "../engines/engine.ts";
import { type ProviderBook, tallyOfSends, txOptions } from "../providers/book.ts";
import type { UpstreamFailure } from "../providers/failure.ts";
import type { Quota } from "../providers/quota.ts";
import { updateHeldStep } from "./lease.ts";
import type { Member } from "./members.ts";

/**
 * The calls made for a step, each written to the database before it is made. A worker that has lost its lease cannot
 * begin a call. The worker that takes the step over finds the calls that were begun.
 */
export class StepJournal implements Journal {
  readonly #book: ProviderBook;
  readonly #clock: { service(): number };
  readonly #step: StepRow;
  readonly #members: readonly Member[];
  constructor(
    { book, clock }: { book: ProviderBook; clock: { service(): number } },
    step: StepRow,
    members: readonly Member[],
  ) {
    this.#book = book;
    this.#clock = clock;
    this.#step = step;
    this.#members = members;
  }

  async earlier(): Promise<JournalledCall[]> {
    const { db } = this.#book;
    const { calls } = db.t;
    const rows = await db.q.select().from(calls).where(eq(calls.stepId, this.#step.id)).orderBy(asc(calls.id));
    const index = new Map(this.#members.map(({ position }, at) => [position, at]));
    return rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      reference: row.reference,
      indices: unpackPositions(row).map((position) => index.get(position)!),
      begunAt: row.begunAt,
      quota: null,
      outcomes: row.outcomes === null ? null : (JSON.parse(row.outcomes) as SendOutcome[]),
    }));
  }

  begin({ provider, quota, indices }: { provider: string; quota: Quota; indices: readonly number[] }) {
    return this.#book.db.tx(async (tx) => {
      // Updates the step's row, so that this transaction conflicts with the claim of another worker.
      await updateHeldStep(tx, this.#step, { lease: this.#step.lease });
      const taken = await this.#book.take(tx, quota, indices.length);
      if ("until" in taken) return taken;
      const granted = [...indices].sort((a, b) => a - b).slice(0, taken.granted);
      const { first, members } = packPositions(granted.map((index) => this.#members[index]!.position));
      const reference = newId("call");
      const begunAt = this.#clock.service();
      const row = { bucket: this.#step.bucket, stepId: this.#step.id, provider, reference, first, members, begunAt };
      const [created] = await tx.q
        .insert(tx.t.calls)
        .values({ ...row, outcomes: null })
        .returning({ id: tx.t.calls.id });
      return { id: created!.id, provider, reference, indices: granted, begunAt, quota, outcomes: null };
    }, txOptions(quota));
  }

  async failed({ quota }: JournalledCall, failure: UpstreamFailure): Promise<void> {
    if (quota) await this.#book.db.tx((tx) => this.#book.note(tx, quota, {}, failure), txOptions(quota));
  }

  async end(call: JournalledCall, outcomes: readonly SendOutcome[], failure?: UpstreamFailure): Promise<void> {
    const { quota } = call;
    await this.#book.db.tx(
      async (tx) => {
        const { calls } = tx.t;
        await tx.q
          .update(calls)
          .set({ outcomes: JSON.stringify(outcomes) })
          .where(eq(calls.id, call.id));
        if (quota) await this.#book.note(tx, quota, tallyOfSends(outcomes), failure);
      },
      quota ? txOptions(quota) : {},
    );
  }
}

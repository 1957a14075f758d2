import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, inArray, isNull, like, or, sql } from "drizzle-orm";
import type { Engine, StepRow } from "../../db/engine.ts";
import { type Clock, MINUTE } from "../clock.ts";
import type { Engines } from "../engines/engine.ts";
import { ProviderBook } from "../providers/book.ts";
import { LeaseLost } from "./complete.ts";
import { Health } from "./health.ts";
import { type Worker, workStep } from "./work.ts";

/** A claim is held this long (real time) and renewed while its step is worked on. */
export const LEASE = MINUTE;
/** Steps worked on at once: enough to keep several upstreams busy. */
const AT_ONCE = 16;
/** Of these, so many are kept free for instant projects, which wait for nobody. */
const KEPT_FREE = 4;
/** Instant projects first. */
const PRIORITIES = [0, 1];

export interface CheckerOptions {
  readonly db: Engine;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly log: Log;
  /** Steps worked on at once; default 16. Engines that mostly wait for others can have more. */
  readonly atOnce?: number;
}

interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Does the steps that are due. Any number of processes may run one on the same database: claims never
 * overlap, and a worker whose lease ran out cannot write.
 */
export class Checker {
  readonly #worker: Worker;
  readonly #log: Log;
  readonly #id = randomUUID();
  /** Steps in hand. */
  readonly #held = new Set<number>();
  #claims = 0;
  readonly #atOnce: number;
  #draining: Promise<number> | null = null;
  #again = false;
  #wake: () => void = () => undefined;
  #halted = false;
  #abandoned = false;

  constructor({ db, clock, engines, log, atOnce = AT_ONCE }: CheckerOptions) {
    this.#worker = { db, clock, engines, health: new Health(), book: new ProviderBook(db, clock) };
    this.#log = log;
    this.#atOnce = atOnce;
  }

  /** Works until nothing is due. Calls while it runs make it look once more. @returns steps done */
  drain(): Promise<number> {
    if (this.#draining) {
      this.#again = true;
      this.#wake();
      return this.#draining;
    }
    this.#draining = this.#drain().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** Claims nothing more; a drain ends with the steps in hand. */
  halt(): void {
    this.#halted = true;
  }

  /** Lets go of the steps in hand: what becomes of them now is nobody's business. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Service time of the earliest open step due after `after`, or null when there is none. */
  async nextDue(after = Number.MIN_SAFE_INTEGER): Promise<number | null> {
    const { db } = this.#worker;
    const { steps } = db.t;
    const dues = await Promise.all(
      PRIORITIES.map(async (priority) => {
        const [row] = await db.q
          .select({ dueAt: steps.dueAt })
          .from(steps)
          .where(sql`${steps.priority} = ${priority} AND ${steps.lease} IS NULL AND ${steps.dueAt} > ${after}`)
          .orderBy(asc(steps.dueAt))
          .limit(1);
        return row?.dueAt;
      }),
    );
    const known = dues.filter((due) => due !== undefined);
    return known.length === 0 ? null : Math.min(...known);
  }

  /** Keeps the claims of running steps alive. */
  async renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const { db, clock } = this.#worker;
    const { steps } = db.t;
    await db.tx(async (tx) => {
      await tx.q
        .update(steps)
        .set({ leaseUntil: clock.now() + LEASE })
        .where(and(inArray(steps.id, [...this.#held]), like(steps.lease, `${this.#id}.%`)));
    });
  }

  async #drain(): Promise<number> {
    const { db, clock, health } = this.#worker;
    const running = new Set<Promise<void>>();
    let done = 0;
    for (;;) {
      this.#again = false;
      const claimed = await this.#claim(running.size);
      for (const step of claimed) {
        const work = this.#work(step).then(() => {
          running.delete(work);
          done += 1;
        });
        running.add(work);
      }
      if (running.size > 0) {
        await Promise.race([...running, this.#woken()]);
        // Steps that were committed together end together: one claim then follows them all.
        await nextTurn();
      } else if (this.#halted || !this.#again) break;
    }
    await health.flush(db, clock.now());
    return done;
  }

  /** Resolves when somebody says that there may be more to do. */
  #woken(): Promise<void> {
    if (this.#again) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #claim(running: number): Promise<StepRow[]> {
    if (running >= this.#atOnce || this.#halted) return [];
    const { db, clock } = this.#worker;
    const lease = `${this.#id}.${++this.#claims}`;
    const now = clock.now();
    const claim = { dueBy: clock.service(), now, lease, leaseUntil: now + LEASE };
    if (!(await this.#anyDue(claim.dueBy, now))) return [];
    const claimed: StepRow[] = [];
    for (const priority of PRIORITIES) {
      const limit = priority === 0 ? this.#atOnce : this.#atOnce - KEPT_FREE;
      const left = limit - running - claimed.length;
      if (left > 0) claimed.push(...(await db.claimSteps({ ...claim, priority, limit: left })));
    }
    return claimed;
  }

  /** Asks the reader first, so that an idle process never takes the writer. */
  async #anyDue(dueBy: number, now: number): Promise<boolean> {
    const { db } = this.#worker;
    const { steps } = db.t;
    const free = or(isNull(steps.leaseUntil), sql`${steps.leaseUntil} <= ${now}`);
    const found = await Promise.all(
      PRIORITIES.map((priority) =>
        db.q
          .select({ id: steps.id })
          .from(steps)
          .where(sql`${steps.priority} = ${priority} AND ${steps.dueAt} <= ${dueBy} AND ${free}`)
          .orderBy(asc(steps.dueAt))
          .limit(1),
      ),
    );
    return found.some((rows) => rows.length > 0);
  }

  async #work(step: StepRow): Promise<void> {
    this.#held.add(step.id);
    try {
      await workStep(this.#worker, step);
    } catch (thrown) {
      if (this.#abandoned) return;
      const details = { step: step.id, err: thrown };
      if (thrown instanceof LeaseLost) this.#log.warn(details, "a step was taken over by another worker");
      else this.#log.error(details, "a step failed; it is tried again when its lease runs out");
    } finally {
      this.#held.delete(step.id);
    }
  }
}

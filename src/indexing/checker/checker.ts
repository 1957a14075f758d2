import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, eq, inArray, isNull, like, notExists, or, sql } from "drizzle-orm";
import type { Engine, StepRow } from "../../../db/engine.ts";
import { LANES } from "../../domain/projects/states.ts";
import { type Clock, MINUTE } from "../../platform/clock.ts";
import { NO_TRACER, type Tracer } from "../../platform/telemetry.ts";
import type { Engines } from "../engines/engine.ts";
import { ProviderBook } from "../providers/book.ts";
import { Health } from "./health.ts";
import { LeaseLost } from "./lease.ts";
import { runStep, type Worker } from "./run-step.ts";

/** A claim is held this long (real time) and renewed while its step is worked on. */
export const LEASE = MINUTE;
/** Steps worked on at once: enough to keep several upstreams busy. */
const CONCURRENCY = 16;
/** Of these, so many are kept free for instant projects, which wait for nobody. */
const KEPT_FREE = 4;
/** A renewal changes all that it looks at. */
const REPEATABLE_READ = { isolation: "repeatable read" } as const;
/** Instant projects first. */
const PRIORITIES = [0, 1];

export interface CheckerOptions {
  readonly db: Engine;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly log: Log;
  /** Steps worked on at once; default 16. Engines that mostly wait for others can have more. */
  readonly concurrency?: number;
  /** How long a claim is held without being renewed, in real ms; default a minute. The same on all nodes. */
  readonly leaseMs?: number;
  /** Records every step; default: none is recorded. */
  readonly tracer?: Tracer;
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
  readonly #tracer: Tracer;
  readonly #id = randomUUID();
  /** Steps in hand. */
  readonly #held = new Set<number>();
  #claims = 0;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  #draining: Promise<number> | null = null;
  #again = false;
  #wake: () => void = () => undefined;
  #halted = false;
  #abandoned = false;

  constructor({
    db,
    clock,
    engines,
    log,
    concurrency = CONCURRENCY,
    leaseMs = LEASE,
    tracer = NO_TRACER,
  }: CheckerOptions) {
    this.#worker = { db, clock, engines, health: new Health(), book: new ProviderBook(db, clock) };
    this.#log = log;
    this.#tracer = tracer;
    this.#concurrency = concurrency;
    this.#leaseMs = leaseMs;
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

  /**
   * Lets go of the steps in hand: what becomes of them now is nobody's business. Those for which no upstream is being
   * called are given back, and another worker can take them at once; all others when their lease has run out, because a
   * call that is still under way may yet arrive.
   * @returns how many were given back
   */
  async abandon(): Promise<number> {
    this.#abandoned = true;
    if (this.#held.size === 0) return 0;
    const { db, engines } = this.#worker;
    const resumable = LANES.filter((lane) => engines.submitters[lane]?.resume);
    return db.tx(async (tx) => {
      const { steps, calls } = tx.t;
      const open = tx.q
        .select({ id: calls.id })
        .from(calls)
        .where(and(eq(calls.stepId, steps.id), isNull(calls.outcomes)));
      const given = await tx.q
        .update(steps)
        .set({ lease: null, leaseUntil: null })
        .where(
          and(
            tx.among(steps.id, [...this.#held]),
            like(steps.lease, `${this.#id}.%`),
            // What only looks may be looked at twice; a call of one that sends stands in the journal before it is made.
            or(
              inArray(steps.action, ["check", "preflight"]),
              isNull(steps.intentAt),
              and(inArray(steps.lane, resumable), notExists(open)),
            ),
          ),
        )
        .returning({ id: steps.id });
      return given.length;
    });
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
        .set({ leaseUntil: clock.now() + this.#leaseMs })
        .where(and(inArray(steps.id, [...this.#held]), like(steps.lease, `${this.#id}.%`)));
    }, REPEATABLE_READ);
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
    if (running >= this.#concurrency || this.#halted) return [];
    const { db, clock } = this.#worker;
    const lease = `${this.#id}.${++this.#claims}`;
    const now = clock.now();
    const claim = { dueBy: clock.service(), now, lease, leaseUntil: now + this.#leaseMs };
    const claimed: StepRow[] = [];
    for (const priority of await this.#due(claim.dueBy, now)) {
      const limit = priority === 0 ? this.#concurrency : this.#concurrency - KEPT_FREE;
      const left = limit - running - claimed.length;
      if (left > 0) claimed.push(...(await db.claimSteps({ ...claim, priority, limit: left })));
    }
    return claimed;
  }

  /** Priorities of which something is due. Asks the reader first, so that an idle process never takes the writer. */
  async #due(dueBy: number, now: number): Promise<number[]> {
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
    return PRIORITIES.filter((_, index) => found[index]!.length > 0);
  }

  async #work(step: StepRow): Promise<void> {
    this.#held.add(step.id);
    try {
      const { action, lane, size } = step;
      const attributes = { action, lane, size };
      await this.#tracer.span({ kind: "step", name: action, attributes }, (setAttributes) =>
        runStep({ ...this.#worker, setAttributes }, step),
      );
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

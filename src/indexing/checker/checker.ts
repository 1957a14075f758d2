import { randomUUID } from "node:crypto";
import { setImmediate as nextTick } from "node:timers/promises";
import { and, asc, eq, inArray, isNull, like, notExists, or, sql } from "drizzle-orm";
import type { Engine, StepRow } from "../../../db/engine.ts";
import { LANES, STEP_SIZE } from "../../domain/projects/states.ts";
import { type Clock, MINUTE } from "../../platform/clock.ts";
import { LoopQueue } from "../../platform/loop-queue.ts";
import { NO_TRACER, type Tracer } from "../../platform/telemetry.ts";
import type { Engines } from "../engines/engine.ts";
import { ProviderBook } from "../providers/book.ts";
import { Health } from "./health.ts";
import { LeaseLost } from "./lease.ts";
import { runStep, type Worker } from "./run-step.ts";

/** How long a lease lasts, in real ms. A running step renews its lease. */
export const LEASE = MINUTE;
/** Most steps of full size that run at once: enough to keep several upstreams busy. */
const CONCURRENCY = 16;
/** How many small steps may run in place of one of full size. Steps that end together share a claim and a commit. */
const SMALL_STEPS = 4;
/** Most steps that run at once, of any size. */
const MOST_STEPS = 64;
/** How many of `MOST_STEPS` are reserved for instant projects. */
const RESERVED = 4;
/** REPEATABLE READ is enough for a renewal, because it changes every row that it reads. */
const RENEWAL = { isolation: "repeatable read" } as const;
/** Instant projects first. */
const PRIORITIES = [0, 1];

export interface CheckerOptions {
  readonly db: Engine;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly log: Log;
  /**
   * Steps of full size that run at once, up to 64; default 16. Four times as many small steps may run, up to 64 too.
   * Engines that mostly wait for upstreams can have more.
   */
  readonly concurrency?: number;
  /** How long a lease lasts unless it is renewed, in real ms; default a minute. It must be the same on all nodes. */
  readonly leaseMs?: number;
  /** Records every step. Default: no step is recorded. */
  readonly tracer?: Tracer;
}

interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Runs the steps that are due. Any number of processes may have a checker on the same database. Two claims never get
 * the same step, and a worker whose lease has expired cannot write.
 */
export class Checker {
  readonly #worker: Worker;
  readonly #log: Log;
  readonly #tracer: Tracer;
  readonly #id = randomUUID();
  /** Ids of the running steps. */
  readonly #runningSteps = new Set<number>();
  #claims = 0;
  /** The part of `#concurrency` that the running steps use. */
  #taken = 0;
  /** The part that an average step of the last claim used. The size of a step is known only once it is claimed. */
  #usualShare = 1;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  #draining: Promise<number> | null = null;
  #drainAgain = false;
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
    this.#worker = {
      db,
      clock,
      engines,
      health: new Health(),
      book: new ProviderBook(db, clock),
      loop: new LoopQueue(),
    };
    this.#log = log;
    this.#tracer = tracer;
    this.#concurrency = concurrency;
    this.#leaseMs = leaseMs;
  }

  /**
   * Runs steps until none is due. A call during a drain makes the drain look for due steps once more. @returns steps
   * done
   */
  drain(): Promise<number> {
    if (this.#draining) {
      this.#drainAgain = true;
      this.#wake();
      return this.#draining;
    }
    this.#draining = this.#drain().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** Stops claiming; a drain then ends with the steps that are running. */
  halt(): void {
    this.#halted = true;
  }

  /**
   * Abandons the running steps and logs none of their errors any more. Steps that are not calling an upstream are
   * released, so that another worker can claim them at once. The others can be claimed when their lease expires,
   * because a call that is under way may still arrive.
   * @returns how many were released
   */
  async abandon(): Promise<number> {
    this.#abandoned = true;
    if (this.#runningSteps.size === 0) return 0;
    const { db, engines } = this.#worker;
    const resumable = LANES.filter((lane) => engines.submitters[lane]?.resume);
    return db.tx(async (tx) => {
      const { steps, calls } = tx.t;
      const openCalls = tx.q
        .select({ id: calls.id })
        .from(calls)
        .where(and(eq(calls.stepId, steps.id), isNull(calls.outcomes)));
      const released = await tx.q
        .update(steps)
        .set({ lease: null, leaseUntil: null })
        .where(
          and(
            tx.among(steps.id, [...this.#runningSteps]),
            like(steps.lease, `${this.#id}.%`),
            // Checks and preflights can be repeated. A call that sends is in the journal before it is made.
            or(
              inArray(steps.action, ["check", "preflight"]),
              isNull(steps.intentAt),
              and(inArray(steps.lane, resumable), notExists(openCalls)),
            ),
          ),
        )
        .returning({ id: steps.id });
      return released.length;
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

  /** Renews the leases of the running steps. */
  async renew(): Promise<void> {
    if (this.#runningSteps.size === 0) return;
    const { db, clock } = this.#worker;
    const { steps } = db.t;
    await db.tx(async (tx) => {
      await tx.q
        .update(steps)
        .set({ leaseUntil: clock.now() + this.#leaseMs })
        .where(and(inArray(steps.id, [...this.#runningSteps]), like(steps.lease, `${this.#id}.%`)));
    }, RENEWAL);
  }

  async #drain(): Promise<number> {
    const { db, clock, health } = this.#worker;
    const running = new Set<Promise<void>>();
    let done = 0;
    for (;;) {
      this.#drainAgain = false;
      const before = done;
      const claimed = await this.#claim(running.size);
      for (const step of claimed) {
        const work = this.#work(step).then(() => {
          running.delete(work);
          done += 1;
        });
        running.add(work);
      }
      if (running.size > 0) {
        // Steps that ended during the claim have made room for another one.
        if (done === before) await Promise.race([...running, this.#woken()]);
        // Steps of one group commit end together. Waiting for all of them lets one claim follow.
        await nextTick();
      } else if (this.#halted || !this.#drainAgain) break;
    }
    await health.flush(db, clock.now());
    return done;
  }

  /** Resolves when `drain` is called again. */
  #woken(): Promise<void> {
    if (this.#drainAgain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #claim(running: number): Promise<StepRow[]> {
    if (this.#halted || this.#room(0, running) <= 0) return [];
    const { db, clock } = this.#worker;
    const lease = `${this.#id}.${++this.#claims}`;
    const now = clock.now();
    const claim = { dueBy: clock.service(), now, lease, leaseUntil: now + this.#leaseMs };
    const claimed: StepRow[] = [];
    for (const priority of await this.#due(claim.dueBy, now)) {
      const left = this.#room(priority === 0 ? 0 : RESERVED, running) - claimed.length;
      if (left > 0) claimed.push(...(await db.claimSteps({ ...claim, priority, limit: left })));
    }
    const share = claimed.reduce((sum, step) => sum + shareOf(step), 0);
    if (claimed.length > 0) this.#usualShare = share / claimed.length;
    return claimed;
  }

  /** How many more steps may run. @param reserved room that is kept free, in steps of any size */
  #room(reserved: number, running: number): number {
    const byShare = Math.floor((this.#concurrency - reserved - this.#taken) / this.#usualShare);
    return Math.min(byShare, MOST_STEPS - reserved - running);
  }

  /** The priorities that have a due step. This is a read, so that an idle process never takes the write lock. */
  async #due(dueBy: number, now: number): Promise<number[]> {
    const { db } = this.#worker;
    const { steps } = db.t;
    const isFree = or(isNull(steps.leaseUntil), sql`${steps.leaseUntil} <= ${now}`);
    const found = await Promise.all(
      PRIORITIES.map((priority) =>
        db.q
          .select({ id: steps.id })
          .from(steps)
          .where(sql`${steps.priority} = ${priority} AND ${steps.dueAt} <= ${dueBy} AND ${isFree}`)
          .orderBy(asc(steps.dueAt))
          .limit(1),
      ),
    );
    return PRIORITIES.filter((_, index) => found[index]!.length > 0);
  }

  async #work(step: StepRow): Promise<void> {
    this.#runningSteps.add(step.id);
    this.#taken += shareOf(step);
    try {
      const { action, lane, size } = step;
      const attributes = { action, lane, size };
      await this.#tracer.span({ kind: "step", name: action, attributes }, (setAttributes) =>
        runStep({ ...this.#worker, setAttributes }, step),
      );
    } catch (thrown) {
      if (this.#abandoned) return;
      const details = { step: step.id, err: thrown };
      if (thrown instanceof LeaseLost)
        this.#log.warn(details, "a step is gone, or another worker took it over, since its lease had expired");
      else this.#log.error(details, "a step failed; it is tried again when its lease expires");
    } finally {
      this.#runningSteps.delete(step.id);
      this.#taken -= shareOf(step);
    }
  }
}

/** The part of the concurrency that a step uses. It is a multiple of a power of two, so that sums stay exact. */
function shareOf({ size }: StepRow): number {
  return Math.ceil(Math.min(1, size / STEP_SIZE) * SMALL_STEPS) / SMALL_STEPS;
}

import type { Engine } from "../../db/engine.ts";
import { type Answer, call, type Services } from "../../src/contract/call.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import { NO_PAYMENTS, type Payments } from "../../src/domain/payments/payments.ts";
import { Checker } from "../../src/indexing/checker/checker.ts";
import type { Engines, SendBatch, Submitter, Verifier } from "../../src/indexing/engines/engine.ts";
import { FaultInjector } from "../../src/indexing/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../src/indexing/engines/sandbox/sandbox.ts";
import { Watcher } from "../../src/indexing/watches/watcher.ts";
import { type Config, readConfig } from "../../src/platform/config/config.ts";
import { createHttpClient, type HttpClient } from "../../src/platform/http-client/http-client.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { operations } from "../../tools/index.ts";
import { keyPrincipal } from "../support/database/key-principal.ts";
import { TestClock } from "../support/service/clock.ts";
import { type ReusableDatabase, releaseDatabase, takeDatabase } from "./reused-databases.ts";

/** Thrown where a process crashes. */
export class Crash extends Error {}

/** Points at which a process can crash. */
export type CrashPoint =
  | "before commit"
  | "after commit"
  | "after send"
  | "before settle"
  | "after settle"
  | "after look";

/** The next crash: at a crash point, after it was passed so many times. */
export interface CrashPlan {
  at: CrashPoint;
  after: number;
}

/** The services of one process. After its crash, all of them fail. */
export interface Process extends Services {
  /** Crashes here if that is planned. @throws Crash */
  crashIfDue(at: CrashPoint): void;
}

export interface WorldOptions {
  /** Number of accounts; default: 1. */
  readonly accounts?: number;
  /** Default: a new clock. */
  readonly clock?: TestClock;
  readonly config?: Partial<Config>;
  /** The websites that are there; default: the ones of this machine's network. */
  readonly http?: HttpClient;
  /** Makes the payments of a new process. */
  readonly payments?: (process: Omit<Process, "payments">) => Payments;
}

/** A whole Beckon over a temporary database, whose process can crash at any crash point. */
export class World {
  readonly clock: TestClock;
  readonly faults = new FaultInjector([], 0);
  /** Number of sends that were accepted or lost, by lane and URL. */
  readonly sent = new Map<string, number>();
  crashPlan: CrashPlan | null = null;
  /** Delays the worker of the next provider call past its lease, so that another worker takes the step over. */
  pause = false;
  /** Number of committed transactions. */
  commits = 0;
  /** Ids of the accounts. */
  readonly accounts: string[] = [];
  /** A caller of each account. */
  readonly callers: Principal[] = [];
  #database!: ReusableDatabase;
  #engine!: Engine;
  readonly #options: WorldOptions;
  readonly #engines: Engines;
  #process!: Process;
  #checker!: Checker;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.clock = options.clock ?? new TestClock();
    const sandbox = sandboxEngines(this.faults);
    const { google, bing, yandex } = sandbox.submitters;
    const submitters = {
      google: this.#recorded("google", google!),
      bing: this.#recorded("bing", bing!),
      yandex: this.#recorded("yandex", yandex!),
    };
    const verifier: Verifier = {
      check: async (batch) => {
        await this.#delayIfPaused();
        return sandbox.verifier.check(batch);
      },
    };
    this.#engines = { ...sandbox, submitters, verifier };
  }

  /** The database, on a connection that does not crash. */
  get books(): Engine {
    return this.#engine;
  }

  get db(): Engine {
    return this.#process.db;
  }

  get process(): Process {
    return this.#process;
  }

  get isDead(): boolean {
    return this.crashPlan !== null && this.crashPlan.after < 0;
  }

  /** Must be called first. */
  async open(): Promise<void> {
    this.#database = await takeDatabase();
    this.#engine = this.#database.engine;
    this.#process = this.#newProcess();
    this.#checker = this.#newChecker();
    const now = this.clock.now();
    await this.#engine.tx(async (tx) => {
      for (let number = 0; number < (this.#options.accounts ?? 1); number++)
        this.accounts.push((await createAccount(tx, { email: `model${number}@example.com`, now })).id);
    });
    for (const account of this.accounts) this.callers.push(await keyPrincipal(this.#engine, account));
  }

  /** Calls an operation as its surfaces do. */
  async call(
    name: string,
    input: unknown,
    { account = 0, key, payment }: Called = {},
  ): Promise<Record<string, unknown>> {
    const operation = operations.find((one) => one.name === name)!;
    const principal = this.callers[account]!;
    const made = { operation, input, idempotencyKey: key, audience: "program", principal, requestsToday: 1 } as const;
    const answer: Answer = await call(this.#process, payment ? { ...made, payment } : made);
    return JSON.parse(answer.text);
  }

  drain(): Promise<number> {
    return this.#checker.drain();
  }

  /** Runs the watches that are due. */
  async runWatches(): Promise<void> {
    await new Watcher(this.#process, { error: (details) => this.#seen(details) }).drain();
  }

  nextDue(): Promise<number | null> {
    return this.#checker.nextDue();
  }

  /** Starts a new process, after the leases of the crashed one have expired. */
  restart(): void {
    this.crashPlan = null;
    this.clock.pass(61_000);
    this.#process = this.#newProcess();
    this.#checker = this.#newChecker();
  }

  /** Releases the database for the next world. */
  close(): Promise<void> {
    return releaseDatabase(this.#database);
  }

  #newProcess(): Process {
    let isDead = false;
    const crashIfDue = (at: CrashPoint) => {
      if (this.crashPlan?.at === at && !isDead) this.crashPlan.after -= 1;
      if (this.isDead) isDead = true;
      // A crashed process stays dead, also when another one runs in its place.
      if (isDead) throw new Crash(at);
    };
    const tx: Engine["tx"] = async (work, options) => {
      const value = await this.#engine.tx(async (tx) => {
        const result = await work(tx);
        crashIfDue("before commit");
        return result;
      }, options);
      this.commits += 1;
      crashIfDue("after commit");
      return value;
    };
    const config = { ...CONFIG, ...this.#options.config };
    const http = this.#options.http ?? HTTP;
    const parts = { db: { ...this.#engine, tx }, clock: this.clock, config, http, crashIfDue };
    return { ...parts, payments: this.#options.payments?.(parts) ?? NO_PAYMENTS };
  }

  #newChecker(): Checker {
    const log = { info() {}, warn() {}, error: (details: object) => this.#seen(details) };
    return new Checker({ db: this.db, clock: this.clock, engines: this.#engines, log });
  }

  /** An error of a step that is not a crash: never expected. */
  failure: unknown = null;
  #seen(details: object): void {
    const { err } = details as { err?: unknown };
    if (!(err instanceof Crash)) this.failure = err;
  }

  #recorded(lane: string, submitter: Submitter): Submitter {
    return {
      send: async (batch: SendBatch) => {
        await this.#delayIfPaused();
        const outcomes = await submitter.send(batch);
        batch.urls.forEach((url, index) => {
          if (outcomes[index]!.kind === "deferred") return;
          const key = `${lane} ${url}`;
          this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
        });
        this.#process.crashIfDue("after send");
        return outcomes;
      },
    };
  }

  async #delayIfPaused(): Promise<void> {
    if (!this.pause) return;
    this.pause = false;
    this.clock.pass(61_000);
    await this.#newChecker().drain();
  }
}

interface Called {
  /** Number of the account that calls. */
  readonly account?: number;
  readonly key?: string | undefined;
  readonly payment?: PresentedPayment;
}

const CONFIG = readConfig({});
const HTTP = createHttpClient(CONFIG);

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, Tx } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { createAccount } from "../../src/accounts/accounts.ts";
import { Checker } from "../../src/checker/checker.ts";
import { readConfig } from "../../src/config.ts";
import type { Principal } from "../../src/context.ts";
import { call, type Services } from "../../src/contract/call.ts";
import type { Engines, SendBatch, Submitter, Verifier } from "../../src/engines/engine.ts";
import { FaultSwitch } from "../../src/engines/sandbox/faults.ts";
import { sandboxEngines } from "../../src/engines/sandbox/sandbox.ts";
import { createHttp } from "../../src/http.ts";
import { NO_PAYMENTS } from "../../src/payments/payments.ts";
import { operations } from "../../tools/index.ts";
import { TestClock } from "../support/clock.ts";

/** The process died here. */
export class Crash extends Error {}

/** Where the next crash happens: after so many calls of that kind. */
export interface Fuse {
  at: "before commit" | "after commit" | "after send";
  after: number;
}

/** A whole Beckon over a throw-away database, whose process can be made to die anywhere. */
export class World {
  readonly #folder = mkdtempSync(join(tmpdir(), "beckon-model-"));
  readonly #engine: Engine;
  readonly db: Engine;
  readonly clock = new TestClock();
  readonly faults = new FaultSwitch("", 0);
  readonly config = readConfig({});
  readonly #http = createHttp(this.config);
  /** Accepted or lost hand-overs per lane and URL. */
  readonly sent = new Map<string, number>();
  fuse: Fuse | null = null;
  /** The worker that makes the next upstream call is held up past its lease, and another does its work. */
  pause = false;
  #engines: Engines;
  #checker: Checker;
  account = "";

  constructor() {
    this.#engine = openDatabase(`file:${join(this.#folder, "model.db")}`, { durable: false });
    this.db = { ...this.#engine, tx: (work) => this.#tx(work) };
    const sandbox = sandboxEngines(this.faults);
    const { google, bing, yandex } = sandbox.submitters;
    const submitters = {
      google: this.#recorded("google", google!),
      bing: this.#recorded("bing", bing!),
      yandex: this.#recorded("yandex", yandex!),
    };
    const verifier: Verifier = {
      look: async (batch) => {
        await this.#holdUp();
        return sandbox.verifier.look(batch);
      },
    };
    this.#engines = { ...sandbox, submitters, verifier };
    this.#checker = this.#newChecker();
  }

  async open(): Promise<void> {
    const account = await this.#engine.tx((tx) =>
      createAccount(tx, { email: "model@example.com", now: this.clock.now() }),
    );
    this.account = account.id;
  }

  /** Calls an operation as its surfaces do. */
  async call(name: string, input: unknown, idempotencyKey?: string): Promise<Record<string, unknown>> {
    const services: Services = {
      db: this.db,
      clock: this.clock,
      config: this.config,
      http: this.#http,
      payments: NO_PAYMENTS,
    };
    const operation = operations.find((one) => one.name === name)!;
    const credential = { id: "key_model", type: "api_key", name: "model", scopes: ["read", "index"] } as const;
    const principal: Principal = { accountId: this.account, credential };
    const answer = await call(services, {
      operation,
      input,
      idempotencyKey,
      audience: "program",
      principal,
      requestsToday: 1,
    });
    return JSON.parse(answer.text);
  }

  drain(): Promise<number> {
    return this.#checker.drain();
  }

  nextDue(): Promise<number | null> {
    return this.#checker.nextDue();
  }

  /** A new process, after the leases of the dead one have run out. */
  restart(): void {
    this.fuse = null;
    this.clock.pass(61_000);
    this.#checker = this.#newChecker();
  }

  async close(): Promise<void> {
    await this.#engine.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #newChecker(): Checker {
    const log = { info() {}, warn() {}, error: (details: object) => this.#seen(details) };
    return new Checker({ db: this.db, clock: this.clock, engines: this.#engines, log });
  }

  /** Failures of a step other than a crash are never expected. */
  failure: unknown = null;
  #seen(details: object): void {
    const { err } = details as { err?: unknown };
    if (!(err instanceof Crash)) this.failure = err;
  }

  async #tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const value = await this.#engine.tx(async (tx) => {
      const result = await work(tx);
      this.#burn("before commit");
      return result;
    });
    this.#burn("after commit");
    return value;
  }

  #recorded(lane: string, submitter: Submitter): Submitter {
    return {
      send: async (batch: SendBatch) => {
        await this.#holdUp();
        const outcomes = await submitter.send(batch);
        batch.urls.forEach((url, index) => {
          if (outcomes[index]!.kind === "deferred") return;
          const key = `${lane} ${url}`;
          this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
        });
        this.#burn("after send");
        return outcomes;
      },
    };
  }

  async #holdUp(): Promise<void> {
    if (!this.pause) return;
    this.pause = false;
    this.clock.pass(61_000);
    await this.#newChecker().drain();
  }

  /** Once a fuse has burnt, nothing of this process works any more. */
  #burn(at: Fuse["at"]): void {
    if (this.fuse?.at === at) this.fuse.after -= 1;
    if (this.fuse && this.fuse.after < 0) throw new Crash(at);
  }
}

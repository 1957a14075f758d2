import { SECOND } from "../platform/clock.ts";
import { unavailableIn } from "../platform/errors/database-unavailable.ts";
import { errorMessage } from "../platform/errors/error-format.ts";
import type { Log } from "./log.ts";

/** How often the database is tried during an outage, in ms. */
const EVERY_MS = 2 * SECOND;

/**
 * Detects outages of the database from logged errors, including the errors of refused requests. It logs when an
 * outage begins and when it ends, and nothing in between: each refused request has a log line of its own.
 */
export class Outage {
  /** The log for background work. It drops errors of a database that does not answer. */
  readonly log: Log;
  /**
   * The same for the surfaces, which log each request that fails. An error that it drops counts as a refused request.
   */
  readonly requestLog: Log;
  readonly #log: Log;
  readonly #isBack: () => Promise<unknown>;
  #startedAt: number | null = null;
  #refused = 0;
  /** Whether something has failed since the last check. */
  #failedAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param isBack writes to the database, and rejects as long as that is not possible */
  constructor(log: Log, isBack: () => Promise<unknown>) {
    this.#log = log;
    this.#isBack = isBack;
    this.log = this.#without(log, () => undefined);
    this.requestLog = this.#without(log, () => this.#refused++);
  }

  /** The same log without errors of a database that does not answer. */
  #without(log: Log, dropped: () => void): Log {
    const child = log.child({});
    const error = log.error.bind(log) as (...args: unknown[]) => void;
    child.error = (...args: unknown[]) => {
      const [fields] = args as [{ err?: unknown } | null];
      const unavailable = unavailableIn(fields?.err);
      if (!unavailable) return error(...args);
      const { message, cause } = unavailable;
      this.#detect(cause ? `${message} (${errorMessage(cause)})` : message);
      dropped();
    };
    return child;
  }

  /** Whether the database has refused something since it was last found to work. */
  get isOn(): boolean {
    return this.#startedAt !== null;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #detect(reason: string): void {
    this.#failedAgain = true;
    if (this.#startedAt !== null || this.#isStopped) return;
    this.#startedAt = performance.now();
    this.#log.warn({ reason }, "the database does not answer; calls are refused until it does");
    this.#checkLater();
  }

  #checkLater(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#check(), EVERY_MS).unref();
  }

  /**
   * The outage is over when a write succeeds and nothing has failed since the last check. On a full disk a small
   * write may still succeed.
   */
  async #check(): Promise<void> {
    const hadFailed = this.#failedAgain;
    this.#failedAgain = false;
    const isBack =
      !hadFailed &&
      (await this.#isBack().then(
        () => true,
        () => false,
      ));
    if (isBack && !this.#failedAgain) this.#end();
    else this.#checkLater();
  }

  #end(): void {
    const seconds = Math.round((performance.now() - this.#startedAt!) / SECOND);
    this.#log.info({ seconds, refused: this.#refused }, "the database answers again");
    this.#startedAt = null;
    this.#refused = 0;
  }
}

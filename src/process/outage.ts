import { SECOND } from "../platform/clock.ts";
import { unavailableIn } from "../platform/errors/database-unavailable.ts";
import { errorMessage } from "../platform/errors/error-format.ts";
import type { Tracer } from "../platform/telemetry.ts";
import type { Log } from "./log.ts";

/** How often the database is tried during an outage, in ms. */
const EVERY_MS = 2 * SECOND;

/**
 * Detects outages of the database from the errors that are logged and the requests that are refused. It logs when an
 * outage begins and when it ends, and nothing in between: each refused request has a log line of its own.
 */
export class Outage {
  /** The log for the rest of the process: it drops errors of a database that does not answer. */
  readonly log: Log;
  readonly #told: Log;
  readonly #isBack: () => Promise<unknown>;
  #begun: number | null = null;
  #refused = 0;
  /** Whether the outage was met again since the last check. */
  #isMet = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param isBack writes to the database; rejects as long as that is not possible */
  constructor(log: Log, isBack: () => Promise<unknown>) {
    this.#told = log;
    this.#isBack = isBack;
    this.log = log.child({});
    const error = log.error.bind(log) as (...given: unknown[]) => void;
    this.log.error = (...given: unknown[]) => {
      const [fields] = given as [{ err?: unknown } | null];
      const away = unavailableIn(fields?.err);
      if (!away) return error(...given);
      this.#met(away.cause ? `${away.message} (${errorMessage(away.cause)})` : away.message);
    };
  }

  /** Counts the requests that were refused. */
  readonly tracer: Tracer = {
    span: (span, work) =>
      work(({ unavailable }) => {
        if (span.kind !== "request" || unavailable === undefined) return;
        this.#met(String(unavailable));
        this.#refused++;
      }),
  };

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #met(reason: string): void {
    this.#isMet = true;
    if (this.#begun !== null || this.#isStopped) return;
    this.#begun = performance.now();
    this.#told.warn({ reason }, "the database does not answer; calls are refused until it does");
    this.#checkLater();
  }

  #checkLater(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#check(), EVERY_MS).unref();
  }

  /** The outage is over when a write succeeds and nothing has failed since the last check: on a full disk a small write may still succeed. */
  async #check(): Promise<void> {
    const wasMet = this.#isMet;
    this.#isMet = false;
    const isBack =
      !wasMet &&
      (await this.#isBack().then(
        () => true,
        () => false,
      ));
    if (isBack && !this.#isMet) this.#end();
    else this.#checkLater();
  }

  #end(): void {
    const seconds = Math.round((performance.now() - this.#begun!) / SECOND);
    this.#told.info({ seconds, refused: this.#refused }, "the database answers again");
    this.#begun = null;
    this.#refused = 0;
  }
}

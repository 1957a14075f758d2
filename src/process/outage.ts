import { SECOND } from "../platform/clock.ts";
import { unavailableIn } from "../platform/errors/database-unavailable.ts";
import { errorMessage } from "../platform/errors/error-format.ts";
import type { Tracer } from "../platform/telemetry.ts";
import type { Log } from "./log.ts";

/** How often a database that is away is asked whether it is back, in ms. */
const EVERY_MS = 2 * SECOND;

/**
 * Knows whether the database is away, by what everybody reports of it. The log hears of it when an outage begins and when
 * it ends, and nothing between: what was refused meanwhile is in the lines of the requests.
 */
export class Outage {
  /** For everybody to write to: errors of a database that is away go no further. */
  readonly log: Log;
  readonly #told: Log;
  readonly #isBack: () => Promise<unknown>;
  #begun: number | null = null;
  #refused = 0;
  /** Whether anybody has met it since it was last looked after. */
  #isMet = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param isBack writes something; throws as long as that is not possible */
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
    this.#lookLater();
  }

  #lookLater(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#look(), EVERY_MS).unref();
  }

  /** It is over when a write succeeds and nobody has met it for a while: of a full disk a small one may still find room. */
  async #look(): Promise<void> {
    const wasMet = this.#isMet;
    this.#isMet = false;
    const isBack =
      !wasMet &&
      (await this.#isBack().then(
        () => true,
        () => false,
      ));
    if (isBack && !this.#isMet) this.#end();
    else this.#lookLater();
  }

  #end(): void {
    const seconds = Math.round((performance.now() - this.#begun!) / SECOND);
    this.#told.info({ seconds, refused: this.#refused }, "the database answers again");
    this.#begun = null;
    this.#refused = 0;
  }
}

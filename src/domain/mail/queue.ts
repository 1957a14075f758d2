import { MINUTE, SECOND } from "../../platform/clock.ts";
import { MailFailure, mailFailureReason } from "./failure.ts";
import type { Mail, Mailer, MailLog } from "./mailer.ts";
import type { Transport } from "./transport.ts";

/** `delays` before the retries of a message, and `grace`, how long a stop waits for messages being sent; in ms. */
const QUEUE = {
  concurrency: 4,
  maxHeld: 1_000,
  delays: [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE] as readonly number[],
  grace: 5 * SECOND,
};

export type QueueOptions = typeof QUEUE;

interface Attempt {
  readonly mail: Mail;
  /** How often it has failed. */
  readonly failures: number;
}

/** Sends a few messages at once and holds the rest in memory: what cannot be sent before a stop is lost. */
export class MailQueue implements Mailer {
  readonly #transport: Transport;
  readonly #log: MailLog;
  readonly #options: QueueOptions;
  readonly #ready: Attempt[] = [];
  readonly #retries = new Set<NodeJS.Timeout>();
  #running = 0;
  #isStopped = false;
  #idle: (() => void) | undefined;

  constructor(transport: Transport, log: MailLog, options: Partial<QueueOptions> = {}) {
    this.#transport = transport;
    this.#log = log;
    this.#options = { ...QUEUE, ...options };
  }

  send(mail: Mail): void {
    if (this.#isStopped) this.#log.error({ lost: 1 }, "a mail was not sent: the service is stopping");
    else if (this.#held >= this.#options.maxHeld)
      this.#log.error({ held: this.#held }, "a mail was not sent: too many are waiting");
    else this.#enqueue({ mail, failures: 0 });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#running > 0) await this.#untilIdle();
    const lost = this.#held;
    for (const retry of this.#retries) clearTimeout(retry);
    this.#ready.length = 0;
    this.#retries.clear();
    if (lost > 0) this.#log.error({ lost }, "mail was not sent: the service is stopping");
  }

  get #held(): number {
    return this.#ready.length + this.#running + this.#retries.size;
  }

  #enqueue(attempt: Attempt): void {
    this.#ready.push(attempt);
    if (this.#running < this.#options.concurrency) void this.#work();
  }

  /** Sends ready messages one after another, until there are none. */
  async #work(): Promise<void> {
    this.#running += 1;
    for (let next = this.#ready.shift(); next; next = this.#ready.shift()) await this.#deliver(next);
    this.#running -= 1;
    if (this.#running === 0) this.#idle?.();
  }

  async #deliver({ mail, failures }: Attempt): Promise<void> {
    try {
      await this.#transport.deliver(mail);
    } catch (thrown) {
      const isFinal = thrown instanceof MailFailure && thrown.isFinal;
      const delay = isFinal || this.#isStopped ? undefined : this.#options.delays[failures];
      const fields = { reason: mailFailureReason(thrown), tries: failures + 1 };
      if (delay === undefined) this.#log.error(fields, "a mail was not sent, and is given up");
      else {
        this.#log.error({ ...fields, againInMs: delay }, "a mail was not sent, and is tried again");
        this.#retryLater({ mail, failures: failures + 1 }, delay);
      }
    }
  }

  #retryLater(attempt: Attempt, ms: number): void {
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      this.#enqueue(attempt);
    }, ms);
    retry.unref();
    this.#retries.add(retry);
  }

  async #untilIdle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
      timer = setTimeout(resolve, this.#options.grace);
    });
    clearTimeout(timer);
  }
}

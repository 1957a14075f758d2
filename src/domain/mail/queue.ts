import { MINUTE, SECOND } from "../../platform/clock.ts";
import { MailFailure, mailFailureReason } from "./failure.ts";
import type { Mail, Mailer, MailLog } from "./mailer.ts";
import type { Transport } from "./transport.ts";

/** `pauses` before a message is tried again, and `grace` for what is being sent at a stop, in ms. */
const QUEUE = {
  atOnce: 4,
  most: 1_000,
  pauses: [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE] as readonly number[],
  grace: 5 * SECOND,
};

export type QueueOptions = typeof QUEUE;

interface Waiting {
  readonly mail: Mail;
  /** How often it was tried in vain. */
  readonly tries: number;
}

/** Mail on its way out: a few messages at once, the rest in memory, where a stop loses what could not be sent. */
export class MailQueue implements Mailer {
  readonly #transport: Transport;
  readonly #log: MailLog;
  readonly #options: QueueOptions;
  readonly #ready: Waiting[] = [];
  readonly #pauses = new Set<NodeJS.Timeout>();
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
    else if (this.#held >= this.#options.most)
      this.#log.error({ held: this.#held }, "a mail was not sent: too many wait");
    else this.#begin({ mail, tries: 0 });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#running > 0) await this.#untilIdle();
    const lost = this.#held;
    for (const pause of this.#pauses) clearTimeout(pause);
    this.#ready.length = 0;
    this.#pauses.clear();
    if (lost > 0) this.#log.error({ lost }, "mail was not sent: the service is stopping");
  }

  get #held(): number {
    return this.#ready.length + this.#running + this.#pauses.size;
  }

  #begin(waiting: Waiting): void {
    this.#ready.push(waiting);
    if (this.#running < this.#options.atOnce) void this.#work();
  }

  /** Sends what is ready, one after the other, until nothing is. */
  async #work(): Promise<void> {
    this.#running += 1;
    for (let next = this.#ready.shift(); next; next = this.#ready.shift()) await this.#deliver(next);
    this.#running -= 1;
    if (this.#running === 0) this.#idle?.();
  }

  async #deliver({ mail, tries }: Waiting): Promise<void> {
    try {
      await this.#transport.deliver(mail);
    } catch (thrown) {
      const isFinal = thrown instanceof MailFailure && thrown.isFinal;
      const pause = isFinal || this.#isStopped ? undefined : this.#options.pauses[tries];
      const fields = { reason: mailFailureReason(thrown), tries: tries + 1 };
      if (pause === undefined) this.#log.error(fields, "a mail was not sent, and is given up");
      else {
        this.#log.error({ ...fields, againInMs: pause }, "a mail was not sent, and is tried again");
        this.#retry({ mail, tries: tries + 1 }, pause);
      }
    }
  }

  #retry(waiting: Waiting, ms: number): void {
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#begin(waiting);
    }, ms);
    pause.unref();
    this.#pauses.add(pause);
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

import { randomUUID } from "node:crypto";
import type { Engine } from "../../../db/engine.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { within } from "../../platform/time-limit.ts";
import { MailFailure, mailFailureReason } from "./failure.ts";
import type { MailLog } from "./mailer.ts";
import { claimMail, deleteMail, type HeldMail, isMailDue, openMail, postponeMail } from "./rows.ts";
import type { Transport } from "./transport.ts";

/** Times in ms. */
const SENDING = {
  /** How many mails a process sends at once. */
  concurrency: 4,
  /** How often it looks for mail that another process has queued, or that is to be tried again. */
  pollMs: 5 * SECOND,
  /** How long a server may take over one mail. */
  timeoutMs: 4 * MINUTE,
  /** After this time without an outcome, the process that sends a mail counts as gone, and another one sends it. */
  leaseMs: 5 * MINUTE,
  /** Before the next try, by the number of tries that have failed; the last one stands for all that follow. */
  delays: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
  ] as readonly number[],
  /** How long a mail is tried. */
  keptMs: 3 * DAY,
  /** How long a stop waits for mails that are being sent. */
  graceMs: 5 * SECOND,
};

export type SenderOptions = typeof SENDING;

interface SenderDeps {
  readonly db: Engine;
  readonly transport: Transport;
  readonly secretBox: SecretBox;
  /** Real time. */
  readonly now: () => number;
  readonly log: MailLog;
}

/**
 * Sends the mail of the queue, in each of several processes. Mail that this process has queued is sent at once; other mail is
 * looked for every few seconds. A mail is deleted after it was sent, so that one whose process is killed in between is sent
 * twice, and none is lost.
 */
export class MailSender {
  readonly #deps: SenderDeps;
  readonly #options: SenderOptions;
  readonly #workers = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** Whether there may be more than the workers have found. */
  #isWoken = false;
  #isStopped = false;

  constructor(deps: SenderDeps, options: Partial<SenderOptions> = {}) {
    this.#deps = deps;
    this.#options = { ...SENDING, ...options };
  }

  /** Looks for due mail every few seconds from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.#poll(), this.#options.pollMs).unref();
  }

  /** Sends the mail whose time has come. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isStopped || this.#workers.size >= this.#options.concurrency) return;
    const worker = this.#work().finally(() => {
      this.#workers.delete(worker);
      if (this.#isWoken) this.wake();
    });
    this.#workers.add(worker);
  }

  /** Sends the mail whose time has come, and waits until each was tried. */
  async drain(): Promise<void> {
    this.wake();
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  /** Waits a few seconds for mails that are being sent. What is left is sent by another process, or after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await within(Promise.all(this.#workers), this.#options.graceMs);
  }

  async #poll(): Promise<void> {
    const { db, now } = this.#deps;
    await this.#guarded(async () => {
      if (await isMailDue(db, now())) this.wake();
    });
  }

  /** Sends one mail after another, until none is due. */
  async #work(): Promise<void> {
    const { db, now } = this.#deps;
    await this.#guarded(async () => {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false;
        const mail = await claimMail(db, { lease: randomUUID(), leaseMs: this.#options.leaseMs, now: now() });
        if (!mail) continue;
        // There may be more: another worker looks for it meanwhile.
        this.wake();
        await this.#send(mail);
      }
    });
  }

  async #send(mail: HeldMail): Promise<void> {
    const { db, log, now } = this.#deps;
    try {
      await this.#deliver(mail);
    } catch (thrown) {
      const delay = this.#delayAfter(mail, thrown);
      const fields = { mail: mail.id, reason: mailFailureReason(thrown), tries: mail.tries };
      if (delay === null) log.error(fields, "a mail was not sent, and is given up");
      else {
        log.error({ ...fields, againInMs: delay }, "a mail was not sent, and is tried again");
        return postponeMail(db, mail, now() + delay);
      }
    }
    await deleteMail(db, mail);
  }

  async #deliver(row: HeldMail): Promise<void> {
    const { transport, secretBox } = this.#deps;
    const { timeoutMs } = this.#options;
    const mail = openMail(secretBox, row);
    if (mail.to === "") return;
    const sent = transport.deliver({ ...mail, id: row.id }).then(() => true);
    if ((await within(sent, timeoutMs)) === null)
      throw new MailFailure("The mail server takes too long.", "ETIMEDOUT", false);
  }

  /**
   * How long to wait before the next try; null when there is none. It is partly random, so that mails do not come in crowds.
   */
  #delayAfter({ tries, createdAt }: HeldMail, thrown: unknown): number | null {
    const { delays, keptMs } = this.#options;
    if (thrown instanceof MailFailure && thrown.isFinal) return null;
    const delay = Math.round(delays[Math.min(tries, delays.length) - 1]! * (1 + Math.random() / 5));
    return this.#deps.now() + delay > createdAt + keptMs ? null : delay;
  }

  /** Does work on the database. While that does not answer, other jobs log it, and the next round goes on. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    await work().catch((err) => {
      this.#isWoken = false;
      if (!isUnavailable(err)) this.#deps.log.error({ err }, "mail could not be sent; retrying in a few seconds");
    });
  }
}

import type { Tx } from "../../../db/engine.ts";

/** A message to one recipient, in plain text: every mail program shows it as it is. */
export interface Mail {
  /** A normalised address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as a document of HTML, for programs that prefer it. */
  readonly html?: string;
  /** An address that ends such mails by one POST, without a sign-in (RFC 8058). */
  readonly unsubscribe?: string;
}

/** A mail of the queue. */
export interface QueuedMail extends Mail {
  /** Its Message-ID, without the domain: the same at every try, so that a mail that is sent twice can be recognised. */
  readonly id: string;
}

/** Queues mail. It is sent in the background, so that the time of an answer does not tell whether there was any. */
export interface Mailer {
  /**
   * Queues a mail in the transaction of what it tells: it is sent if that is committed, and only then, also after a crash.
   * @param mail null: does the same work, and sends nothing
   */
  queue(tx: Tx, mail: Mail | null): Promise<void>;
}

/** Where a message that could not be sent is reported, without what it says. */
export interface MailLog {
  error(fields: object, message: string): void;
}

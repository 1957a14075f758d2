/** A message to one recipient, in plain text: every mail program shows it as it is. */
export interface Mail {
  /** A normalised address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail in the background, so that the time of an answer does not tell whether there was any. */
export interface Mailer {
  /** Never throws; a message that cannot be sent is retried for a while, then logged and dropped. */
  send(mail: Mail): void;
  /** Waits a few seconds for messages that are being sent. */
  stop(): Promise<void>;
}

/** Where a message that could not be sent is reported, without what it says. */
export interface MailLog {
  error(fields: object, message: string): void;
}

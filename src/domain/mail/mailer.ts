/** A message to one user, in plain text: every reader can show it, and none can be fooled by it. */
export interface Mail {
  /** A normalised address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Takes mail and sends it in the background, so that how long that takes tells nobody whether there was any. */
export interface Mailer {
  /** Never throws; a message that cannot be sent is tried again for a while, then logged and given up. */
  send(mail: Mail): void;
  /** Waits a moment for what is being sent. */
  stop(): Promise<void>;
}

/** Where a message that could not be sent is reported, without what it says. */
export interface MailLog {
  error(fields: object, message: string): void;
}

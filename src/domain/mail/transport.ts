import type { QueuedMail } from "./mailer.ts";

/** A way to send mail. */
export interface Transport {
  /** @throws MailFailure, or the error of writing a file */
  deliver(mail: QueuedMail): Promise<void>;
  /** Checks whether mail could be sent now. @returns the result in words. @throws as `deliver` */
  check(): Promise<string>;
}

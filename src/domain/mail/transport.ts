import type { Mail } from "./mailer.ts";

/** A way for mail to leave. */
export interface Transport {
  /** @throws MailFailure, or the error of a file that could not be written */
  deliver(mail: Mail): Promise<void>;
  /** Whether mail could leave now. @returns what was found, in words. @throws as `deliver` */
  check(): Promise<string>;
}

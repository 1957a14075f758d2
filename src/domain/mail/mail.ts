import type { Config } from "../../platform/config/config.ts";
import type { Mailer, MailLog } from "./mailer.ts";
import { transportOf } from "./open-transport.ts";
import { MailQueue, type QueueOptions } from "./queue.ts";

/** A mailer that sends in the background by the transport that MAIL names. @throws Error when MAIL is invalid */
export function createMailer(
  config: Pick<Config, "mail" | "mailFrom" | "siteUrl">,
  log: MailLog,
  options?: Partial<QueueOptions>,
): Mailer {
  return new MailQueue(transportOf(config), log, options);
}

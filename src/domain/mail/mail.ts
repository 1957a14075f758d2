import type { Engine } from "../../../db/engine.ts";
import type { Config } from "../../platform/config/config.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Mailer, MailLog } from "./mailer.ts";
import { transportOf } from "./open-transport.ts";
import { MailQueue } from "./queue.ts";
import { MailSender, type SenderOptions } from "./sender.ts";

interface MailDeps {
  readonly db: Engine;
  /** Real time. */
  readonly now: () => number;
  readonly secretBox: SecretBox;
  readonly log: MailLog;
}

/**
 * Queues mail in the database, and sends it in the background by the transport that MAIL names.
 * @throws Error when MAIL is invalid
 */
export async function startMail(
  config: Pick<Config, "mail" | "mailFrom" | "siteUrl">,
  deps: MailDeps,
  options?: Partial<SenderOptions>,
): Promise<{ readonly mailer: Mailer; stop(): Promise<void> }> {
  const sender = new MailSender({ ...deps, transport: await transportOf(config) }, options);
  sender.start();
  return { mailer: new MailQueue({ ...deps, onQueued: () => sender.wake() }), stop: () => sender.stop() };
}

import type { Engine } from "../../../db/engine.ts";
import { MailFailure } from "../../../src/domain/mail/failure.ts";
import type { Mail, Mailer } from "../../../src/domain/mail/mailer.ts";
import { MailQueue } from "../../../src/domain/mail/queue.ts";
import { MailSender } from "../../../src/domain/mail/sender.ts";
import type { SecretBox } from "../../../src/platform/secret-box.ts";

export interface Outbox {
  /** The same database. A transaction that queues mail returns when that is in `outbox`. */
  readonly db: Engine;
  readonly mailer: Mailer;
  /** Mail that was sent, oldest first. */
  readonly outbox: Mail[];
}

/** The queue of mail over a database, sent into an array as soon as it is committed. */
export function outboxOver(db: Engine, { secretBox, now }: { secretBox: SecretBox; now: () => number }): Outbox {
  const outbox: Mail[] = [];
  let isQueued = false;
  let sent: Promise<void> = Promise.resolve();
  const onQueued = () => {
    isQueued = true;
  };
  const transport = {
    deliver: async ({ id: _id, ...mail }: Mail & { id: string }) => void outbox.push(mail),
    check: async () => "",
  };
  const error = (fields: object, message: string) => {
    throw new MailFailure(`${message}: ${JSON.stringify(fields)}`, "test", true);
  };
  const sender = new MailSender({ db, transport, secretBox, now, log: { error } }, { concurrency: 1 });
  const tx: Engine["tx"] = async (work, options) => {
    const value = await db.tx(work, options);
    if (isQueued) {
      isQueued = false;
      sent = sender.drain();
    }
    // Also waited for where another transaction of the same commit began to send: it returns first, and takes the sign away.
    await sent;
    return value;
  };
  return { db: { ...db, tx }, mailer: new MailQueue({ secretBox, now, onQueued }), outbox };
}

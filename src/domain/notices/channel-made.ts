import type { Tx } from "../../../db/engine.ts";
import type { Config } from "../../platform/config/config.ts";
import { secretBoxOf } from "../../platform/config/secrets-key.ts";
import { tryConsumeLimit } from "../limits/window.ts";
import { MailQueue } from "../mail/queue.ts";
import { type ChannelMade, channelMade } from "../mail/templates/channel-made.ts";
import { recipientsOf } from "./recipients.ts";

/** Whether a channel tells an origin that it did not tell before. @param before null: it is new */
export function leadsElsewhere(before: { readonly url: string } | null, after: { readonly url: string }): boolean {
  return before === null || new URL(before.url).origin !== new URL(after.url).origin;
}

/**
 * Mails the owner that an address is told of the account, in the transaction that makes it so. It cannot be switched off. The
 * limit `channel_notices` keeps whoever adds many addresses from causing a flood of mail.
 * @param now real time
 */
export async function tellOfChannel(tx: Tx, config: Config, channel: ChannelMade, now: number): Promise<void> {
  const { accountId } = channel.caller;
  const [recipient] = await recipientsOf(tx, [accountId]);
  if (!recipient || !(await tryConsumeLimit(tx, accountId, "channel_notices", now))) return;
  // Operations run without a sender of mail, and on the bulk thread too: the next sender that looks finds it.
  const mailer = new MailQueue({ secretBox: secretBoxOf(config), now: () => now, onQueued: () => undefined });
  await mailer.queue(tx, channelMade({ to: recipient.email, siteUrl: config.siteUrl }, channel));
}

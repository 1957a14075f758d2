import type { Tx } from "../../../db/engine.ts";
import { type Account, accountByEmail } from "../accounts/accounts.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimit, tryConsumeLimit } from "../limits/window.ts";
import type { Mail } from "../mail/mailer.ts";
import type { LinkPurpose } from "./mailed-links.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Counts a link that is asked for. @throws Refusal rate_limited when the network asked for too many */
export async function countLinkRequest({ db }: UserServices, visitor: Visitor, now: number): Promise<void> {
  await consumeLimit(db, addressKey(visitor.ip), "sign_ups", now);
}

/**
 * Mails to an address what is right for who is there, or nothing. Whoever asks learns nothing: the mail leaves in the
 * background, and an address that was mailed often enough in this hour gets no more, without a word. Links of each
 * kind are counted by themselves, and by who asks: a stranger who has many mailed keeps nobody from having one.
 */
export async function sendLinkMail(
  { db, mailer }: UserServices,
  ask: { email: string; purpose: LinkPurpose; visitor: Visitor; now: number },
  write: (tx: Tx, account: Account | null) => Promise<Mail | null>,
): Promise<void> {
  const mail = await db.tx(async (tx) => {
    const account = await accountByEmail(tx, ask.email);
    return (await isFew(tx, ask)) ? write(tx, account) : null;
  });
  if (mail) mailer.send(mail);
}

async function isFew(
  tx: Tx,
  { email, purpose, visitor, now }: { email: string; purpose: LinkPurpose; visitor: Visitor; now: number },
): Promise<boolean> {
  const user = `${purpose} ${email}`;
  const fromHere = await tryConsumeLimit(tx, `${user} ${addressKey(visitor.ip)}`, "mailed_links", now);
  return fromHere && tryConsumeLimit(tx, user, "mailed_links_per_person", now);
}

import type { Tx } from "../../../db/engine.ts";
import { type Account, accountByEmail } from "../accounts/accounts.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimit, tryConsumeLimit } from "../limits/window.ts";
import type { Mail } from "../mail/mailer.ts";
import type { LinkPurpose } from "./mailed-links.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Counts a request for a link. @throws Refusal rate_limited when the network made too many */
export async function countLinkRequest({ db }: UserServices, visitor: Visitor, now: number): Promise<void> {
  await consumeLimit(db, addressKey(visitor.ip), "sign_ups", now);
}

/**
 * Sends an address the mail that `write` returns for its account, or for none. The caller learns nothing about the
 * account: mail is sent in the background, and an address that got too many in this hour is skipped silently. Each kind
 * of link is limited by itself, and by network too, so that a stranger who requests many does not block the owner.
 */
export async function sendLinkMail(
  { db, mailer }: UserServices,
  request: { email: string; purpose: LinkPurpose; visitor: Visitor; now: number },
  write: (tx: Tx, account: Account | null) => Promise<Mail | null>,
): Promise<void> {
  const mail = await db.tx(async (tx) => {
    const account = await accountByEmail(tx, request.email);
    return (await isWithinLimits(tx, request)) ? write(tx, account) : null;
  });
  if (mail) mailer.send(mail);
}

async function isWithinLimits(
  tx: Tx,
  { email, purpose, visitor, now }: { email: string; purpose: LinkPurpose; visitor: Visitor; now: number },
): Promise<boolean> {
  const subject = `${purpose} ${email}`;
  const isNetworkWithin = await tryConsumeLimit(tx, `${subject} ${addressKey(visitor.ip)}`, "mailed_links", now);
  return isNetworkWithin && tryConsumeLimit(tx, subject, "mailed_links_per_person", now);
}

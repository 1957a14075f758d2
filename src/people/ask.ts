import type { Tx } from "../../db/engine.ts";
import { type Account, accountByEmail } from "../accounts/accounts.ts";
import { addressKey } from "../limits/address-key.ts";
import { isWithin, takeInWindow } from "../limits/window.ts";
import type { Mail } from "../mail/mailer.ts";
import type { People, Visitor } from "./people.ts";

/** Counts a link that is asked for. @throws Refusal rate_limited when the network asked for too many */
export async function countAsking({ db }: People, visitor: Visitor, now: number): Promise<void> {
  await takeInWindow(db, addressKey(visitor.ip), "sign_ups", now);
}

/**
 * Mails to an address what is right for who is there, or nothing. Whoever asks learns nothing: the mail leaves in the
 * background, and an address that was mailed often enough in this hour gets no more, without a word.
 */
export async function mailTo(
  { db, mailer }: People,
  { email, now }: { email: string; now: number },
  write: (tx: Tx, account: Account | null) => Promise<Mail | null>,
): Promise<void> {
  const mail = await db.tx(async (tx) => {
    const account = await accountByEmail(tx, email);
    return (await isWithin(tx, email, "mailed_links", now)) ? write(tx, account) : null;
  });
  if (mail) mailer.send(mail);
}

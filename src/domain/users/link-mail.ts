import type { Tx } from "../../../db/engine.ts";
import { type Account, accountByEmail } from "../accounts/accounts.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimit, tryConsumeLimit } from "../limits/window.ts";
import type { Mail } from "../mail/mailer.ts";
import { knownBrowserOf } from "./known-browsers.ts";
import type { LinkPurpose } from "./mailed-links.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Counts a request for a link. @throws Refusal rate_limited when the network made too many */
export async function countLinkRequest({ db }: UserServices, visitor: Visitor, now: number): Promise<void> {
  await consumeLimit(db, addressKey(visitor.ip), "sign_ups", now);
}

/**
 * Sends an address the mail that `write` returns for its account, or for none. The caller learns nothing about the
 * account: mail is sent in the background, and an address that got too many in this hour is skipped silently.
 */
export async function sendLinkMail(
  { db, mailer }: UserServices,
  request: LinkRequest,
  write: (tx: Tx, account: Account | null) => Promise<Mail | null>,
): Promise<void> {
  await db.tx(async (tx) => {
    const account = await accountByEmail(tx, request.email);
    if (await isWithinLimits(tx, request, account)) await mailer.queue(tx, await write(tx, account));
  });
}

interface LinkRequest {
  readonly email: string;
  readonly purpose: LinkPurpose;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * A browser that the owner has signed in with has a limit of its own. All others share one limit for the address, in addition
 * to the limit of their network. So strangers can neither keep the owner from a link nor send more than a few mails.
 */
async function isWithinLimits(
  tx: Tx,
  { email, purpose, visitor, now }: LinkRequest,
  account: Account | null,
): Promise<boolean> {
  const known = knownBrowserOf(visitor.known, account);
  const asker = `${purpose} ${email} ${known ?? addressKey(visitor.ip)}`;
  if (!(await tryConsumeLimit(tx, asker, "mailed_links", now))) return false;
  if (known !== null) return true;
  // Nothing is mailed, so nothing may be used up that the owner needs to sign up.
  if (account === null && purpose === "reset") return true;
  const shared = account !== null && purpose !== "reset" ? "account_notices" : "mailed_links_per_person";
  return tryConsumeLimit(tx, email, shared, now);
}

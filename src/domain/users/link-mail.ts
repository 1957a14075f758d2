import type { Tx } from "../../../db/engine.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimit, tryConsumeLimit } from "../limits/window.ts";
import type { Mail } from "../mail/mailer.ts";
import { type Person, personByEmail } from "../people/people.ts";
import { knownBrowserOf } from "./known-browsers.ts";
import type { LinkPurpose } from "./mailed-links.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Counts a request for a link. @throws Refusal rate_limited when the network made too many */
export async function countLinkRequest({ db }: UserServices, visitor: Visitor, now: number): Promise<void> {
  await consumeLimit(db, addressKey(visitor.ip), "sign_ups", now);
}

/**
 * Sends an address the mail that `write` returns for its person, or for nobody. The caller learns nothing about the
 * person: mail is sent in the background, and an address that got too many in this hour is skipped silently.
 */
export async function sendLinkMail(
  { db, mailer }: UserServices,
  request: LinkRequest,
  write: (tx: Tx, person: Person | null) => Promise<Mail | null>,
): Promise<void> {
  await db.tx(async (tx) => {
    const person = await personByEmail(tx, request.email);
    if (await isWithinLimits(tx, request, person)) await mailer.queue(tx, await write(tx, person));
  });
}

interface LinkRequest {
  readonly email: string;
  readonly purpose: LinkPurpose;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * A browser that the person has signed in with has a limit of its own. All others share one limit for the address, in addition
 * to the limit of their network. So strangers can neither keep the person from a link nor send more than a few mails.
 */
async function isWithinLimits(
  tx: Tx,
  { email, purpose, visitor, now }: LinkRequest,
  person: Person | null,
): Promise<boolean> {
  const known = knownBrowserOf(visitor.known, person);
  const asker = `${purpose} ${email} ${known ?? addressKey(visitor.ip)}`;
  if (!(await tryConsumeLimit(tx, asker, "mailed_links", now))) return false;
  if (known !== null) return true;
  // Nothing is mailed, so nothing may be used up that anybody needs to sign up.
  if (person === null && purpose === "reset") return true;
  const shared = person !== null && purpose !== "reset" ? "account_notices" : "mailed_links_per_person";
  return tryConsumeLimit(tx, email, shared, now);
}

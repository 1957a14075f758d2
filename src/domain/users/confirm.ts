import type { Tx } from "../../../db/engine.ts";
import { createAccount } from "../accounts/accounts.ts";
import { timingSafeEquals } from "../credentials/secrets.ts";
import { addressKeptUntil } from "../people/address-undos.ts";
import { invitationsTo } from "../people/invitations.ts";
import { createPerson, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import {
  countPasswordAttempt,
  linkOf,
  MAX_WRONG_PASSWORDS,
  type MailedLink,
  useLink,
  voidLinks,
} from "./mailed-links.ts";
import { joinInvited } from "./manage-members.ts";
import { verifyPassword } from "./passwords.ts";
import { openSession } from "./sessions.ts";
import { maySignUp } from "./sign-up.ts";
import type { UserServices, Visitor } from "./users.ts";

export type ConfirmResult =
  | { readonly outcome: "signed_in"; readonly session: string; readonly returnTo: string }
  | { readonly outcome: "wrong_password" }
  | { readonly outcome: "gone" };

export interface SignUpConfirmation {
  /** The secret of the mailed link. */
  readonly link: string;
  /** The password chosen at sign-up; the browser that signed up need not send it. */
  readonly password: string | null;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Uses the link of a sign-up: creates the account, with its address verified. A browser other than the one that signed up
 * must send the password; otherwise the reader of the mail could open an account whose password a stranger chose.
 * @throws Refusal unavailable
 */
export async function confirmSignUp(
  { db, signUp }: UserServices,
  confirmation: SignUpConfirmation,
): Promise<ConfirmResult> {
  const { visitor, password, now } = confirmation;
  const link = await linkOf(db, confirmation.link, now);
  if (link?.purpose !== "sign_up" || link.passwordHash === null) return GONE;
  if (!timingSafeEquals(link.visitorHash, visitor.hash)) {
    if (!password) return WRONG;
    // Counted before it is checked, so that simultaneous guesses are all counted.
    const attempts = await db.tx((tx) => countPasswordAttempt(tx, link, now));
    if (attempts === null) return GONE;
    if (!(await verifyPassword(link.passwordHash, password))) return attempts < MAX_WRONG_PASSWORDS ? WRONG : GONE;
  }
  return db.tx((tx) => openAccount(tx, signUp, link, confirmation));
}

const GONE = { outcome: "gone" } as const;
const WRONG = { outcome: "wrong_password" } as const;

/** Whoever was invited joins the accounts that have invited the address, and gets none of their own. */
async function openAccount(
  tx: Tx,
  signUp: UserServices["signUp"],
  link: MailedLink,
  { visitor, now }: SignUpConfirmation,
): Promise<ConfirmResult> {
  const { email, passwordHash, returnTo } = link;
  // The setting, and the invitation, may have gone since the link was mailed.
  if (!(await maySignUp(tx, signUp, email, now))) return GONE;
  if (!(await useLink(tx, link, now))) return GONE;
  if (await personByEmail(tx, email)) return GONE;
  if ((await addressKeptUntil(tx, email, { now })) !== null) return GONE;
  await voidLinks(tx, email, now, "sign_up");
  const { browser, ip } = visitor;
  const person = { email, passwordHash: passwordHash!, verifiedAt: now, now };
  const isInvited = (await invitationsTo(tx, email, now)).length > 0;
  const personId = isInvited ? (await createPerson(tx, person)).id : await openOwn(tx, person, visitor);
  if (isInvited) await joinInvited(tx, { personId, email, ip, now });
  const session = await openSession(tx, { personId, browser, ip, now });
  return { outcome: "signed_in", session, returnTo };
}

/** Opens an account of the person's own. @returns the person's id */
async function openOwn(tx: Tx, person: Parameters<typeof createAccount>[1], { browser, ip }: Visitor): Promise<string> {
  const { id: accountId, ownerId: personId } = await createAccount(tx, person);
  await recordSecurityEvent(tx, { accountId, personId, kind: "account_opened", subject: browser, ip, now: person.now });
  return personId;
}

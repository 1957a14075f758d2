import type { Tx } from "../../../db/engine.ts";
import { addressKeptUntil } from "../people/address-undos.ts";
import { personByEmail } from "../people/people.ts";
import {
  countPasswordAttempt,
  isRequestedBy,
  linkOf,
  MAX_WRONG_PASSWORDS,
  type MailedLink,
  useLink,
} from "./mailed-links.ts";
import { openPerson } from "./open-person.ts";
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
  if (!isRequestedBy(link, visitor)) {
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
  const { browser, ip } = visitor;
  const person = { email, passwordHash: passwordHash!, verifiedAt: now, now };
  const personId = await openPerson(tx, person, visitor);
  const session = await openSession(tx, { personId, browser, ip, now });
  return { outcome: "signed_in", session, returnTo };
}

import type { Tx } from "../../../db/engine.ts";
import { accountByEmail, createAccount } from "../accounts/accounts.ts";
import { addressKeptUntil } from "../accounts/address-undos.ts";
import { timingSafeEquals } from "../credentials/secrets.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import {
  countPasswordAttempt,
  linkOf,
  MAX_WRONG_PASSWORDS,
  type MailedLink,
  useLink,
  voidLinks,
} from "./mailed-links.ts";
import { verifyPassword } from "./passwords.ts";
import { openSession } from "./sessions.ts";
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
  // A link that was mailed before SIGNUP was set to off.
  if (signUp !== "open") return GONE;
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
  return db.tx((tx) => openAccount(tx, link, confirmation));
}

const GONE = { outcome: "gone" } as const;
const WRONG = { outcome: "wrong_password" } as const;

async function openAccount(tx: Tx, link: MailedLink, { visitor, now }: SignUpConfirmation): Promise<ConfirmResult> {
  const { email, passwordHash, returnTo } = link;
  if (!(await useLink(tx, link, now))) return GONE;
  if (await accountByEmail(tx, email)) return GONE;
  if ((await addressKeptUntil(tx, email, { now })) !== null) return GONE;
  await voidLinks(tx, email, now, "sign_up");
  const { browser, ip } = visitor;
  const { id } = await createAccount(tx, { email, passwordHash: passwordHash!, verifiedAt: now, now });
  await recordSecurityEvent(tx, { accountId: id, kind: "account_opened", subject: browser, ip, now });
  const session = await openSession(tx, { accountId: id, browser, ip, now });
  return { outcome: "signed_in", session, returnTo };
}

import type { Tx } from "../../../db/engine.ts";
import { accountByEmail, createAccount } from "../accounts/accounts.ts";
import { recordSecurityEvent } from "../auth/events.ts";
import { timingSafeEquals } from "../auth/secrets.ts";
import { countPasswordTry, linkOf, MAX_WRONG_PASSWORDS, type MailedLink, useLink, voidLinks } from "./mailed-links.ts";
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
  /** As it was chosen at sign-up; not needed in the browser of the sign-up. */
  readonly password: string | null;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Uses the link of a sign-up: the account is made, its address proved. In another browser than that of the sign-up the
 * password has to be typed, or else who reads the mail would open an account that a stranger has the password of.
 * @throws Refusal unavailable
 */
export async function confirmSignUp({ db }: UserServices, confirmation: SignUpConfirmation): Promise<ConfirmResult> {
  const { visitor, password, now } = confirmation;
  const link = await linkOf(db, confirmation.link, now);
  if (link?.purpose !== "sign_up" || link.passwordHash === null) return GONE;
  if (!timingSafeEquals(link.visitorHash, visitor.hash)) {
    if (!password) return WRONG;
    // Counted first, so that many at once are all counted.
    const tries = await db.tx((tx) => countPasswordTry(tx, link, now));
    if (tries === null) return GONE;
    if (!(await verifyPassword(link.passwordHash, password))) return tries < MAX_WRONG_PASSWORDS ? WRONG : GONE;
  }
  return db.tx((tx) => open(tx, link, confirmation));
}

const GONE = { outcome: "gone" } as const;
const WRONG = { outcome: "wrong_password" } as const;

async function open(tx: Tx, link: MailedLink, { visitor, now }: SignUpConfirmation): Promise<ConfirmResult> {
  const { email, passwordHash, returnTo } = link;
  if (!(await useLink(tx, link, now))) return GONE;
  if (await accountByEmail(tx, email)) return GONE;
  await voidLinks(tx, email, now, "sign_up");
  const { browser, ip } = visitor;
  const { id } = await createAccount(tx, { email, passwordHash: passwordHash!, verifiedAt: now, now });
  await recordSecurityEvent(tx, { accountId: id, kind: "account_opened", subject: browser, ip, now });
  const session = await openSession(tx, { accountId: id, browser, ip, now });
  return { outcome: "signed_in", session, returnTo };
}

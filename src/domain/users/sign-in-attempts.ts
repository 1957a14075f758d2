import type { Tx } from "../../../db/engine.ts";
import { type Account, accountByEmail, findAccount } from "../accounts/accounts.ts";
import { normaliseEmail } from "../accounts/email.ts";
import { recordSecurityEvent } from "../auth/events.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimitIn, refundLimit, resetLimit, tryConsumeLimit } from "../limits/window.ts";
import { signInFailing } from "./messages.ts";
import { verifyPassword } from "./passwords.ts";
import type { UserServices, Visitor } from "./users.ts";

export interface SignInAttempt {
  /** As it was entered. */
  readonly email: string;
  readonly password: string;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * The account with an e-mail address and a password; null when one of them is wrong, after the same work. The attempt is
 * counted as a failure before the password is checked, so that simultaneous guesses are all counted; `recordSuccess` takes
 * that back.
 * @throws Refusal rate_limited; unavailable
 */
export async function accountByPassword(services: UserServices, attempt: SignInAttempt): Promise<Account | null> {
  const { db } = services;
  const isWithinDailyLimit = await db.tx((tx) => countFailure(tx, attempt));
  const account = await accountByEmail(db, attempt.email);
  const isRight = await verifyPassword(account?.passwordHash ?? null, attempt.password).catch(async (thrown) => {
    await db.tx((tx) => uncountFailure(tx, attempt));
    throw thrown;
  });
  if (isRight) return account;
  if (!isWithinDailyLimit) await notifyOwner(services, account, attempt);
  return null;
}

/** Takes an attempt with the right password out of the failures, in the transaction that it leads to. */
export async function recordSuccess(tx: Tx, attempt: SignInAttempt): Promise<void> {
  await uncountFailure(tx, attempt);
  await resetFailures(tx, attempt);
}

/** Forgets a network's failures at an address: whoever is there has proved to be the owner. */
export async function resetFailures(tx: Tx, who: Pick<SignInAttempt, "email" | "visitor">): Promise<void> {
  await resetLimit(tx, subjectsOf(who).both, "failed_sign_ins");
}

/** Whether the password has not been changed since the account was read. */
export async function isPasswordUnchanged(tx: Tx, { id, passwordHash }: Account): Promise<boolean> {
  const account = await findAccount(tx, id);
  return account !== null && account.passwordHash === passwordHash;
}

/** @returns false when the e-mail address is over its daily limit: its owner is notified, and nobody is locked out */
async function countFailure(tx: Tx, attempt: SignInAttempt): Promise<boolean> {
  const { both, network, address } = subjectsOf(attempt);
  await consumeLimitIn(tx, both, "failed_sign_ins", attempt.now);
  await consumeLimitIn(tx, network, "failed_sign_ins_per_address", attempt.now);
  return tryConsumeLimit(tx, address, "failed_sign_ins_per_person", attempt.now);
}

async function uncountFailure(tx: Tx, attempt: SignInAttempt): Promise<void> {
  const { both, network, address } = subjectsOf(attempt);
  await refundLimit(tx, both, "failed_sign_ins", attempt.now);
  await refundLimit(tx, network, "failed_sign_ins_per_address", attempt.now);
  await refundLimit(tx, address, "failed_sign_ins_per_person", attempt.now);
}

/** Mails the owner, once a day. Addresses without an account are counted too, for the same work. */
async function notifyOwner(
  { db, mailer, siteUrl }: UserServices,
  account: Account | null,
  attempt: SignInAttempt,
): Promise<void> {
  const isNotified = await db.tx(async (tx) => {
    const isFirst = await tryConsumeLimit(tx, subjectsOf(attempt).address, "sign_in_notices", attempt.now);
    if (!isFirst || !account) return false;
    await recordSecurityEvent(tx, {
      accountId: account.id,
      kind: "sign_in_failing",
      subject: "From anywhere",
      now: attempt.now,
    });
    return true;
  });
  if (isNotified && account) mailer.send(signInFailing(account.email, siteUrl));
}

/** The subjects that failures are counted for. Texts that are no e-mail address share one. */
function subjectsOf({ email, visitor }: Pick<SignInAttempt, "email" | "visitor">) {
  const address = normaliseEmail(email) ?? "nobody";
  const network = addressKey(visitor.ip);
  return { address, network, both: `${address} ${network}` };
}

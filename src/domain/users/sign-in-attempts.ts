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
  /** As it was typed. */
  readonly email: string;
  readonly password: string;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * The account of an address and its password; null when one of them is wrong, after the same work. Counted as a failure
 * before the password is looked at, so that many guesses at once are all counted; `recordSuccess` takes back what was none.
 * @throws Refusal rate_limited; unavailable
 */
export async function accountByPassword(services: UserServices, attempt: SignInAttempt): Promise<Account | null> {
  const { db } = services;
  const isFew = await db.tx((tx) => count(tx, attempt));
  const account = await accountByEmail(db, attempt.email);
  const isRight = await verifyPassword(account?.passwordHash ?? null, attempt.password).catch(async (thrown) => {
    await db.tx((tx) => uncount(tx, attempt));
    throw thrown;
  });
  if (isRight) return account;
  if (!isFew) await tellOwner(services, account, attempt);
  return null;
}

/** In the transaction that a right password leads to: takes it out of the failures. */
export async function recordSuccess(tx: Tx, attempt: SignInAttempt): Promise<void> {
  await uncount(tx, attempt);
  await resetFailures(tx, attempt);
}

/** Lets a place that failed at an address try anew: whoever is there has proved to be the owner. */
export async function resetFailures(tx: Tx, who: Pick<SignInAttempt, "email" | "visitor">): Promise<void> {
  await resetLimit(tx, subjectsOf(who).pair, "failed_sign_ins");
}

/** Whether the password that was right a moment ago still is. */
export async function isPasswordUnchanged(tx: Tx, { id, passwordHash }: Account): Promise<boolean> {
  const account = await findAccount(tx, id);
  return account !== null && account.passwordHash === passwordHash;
}

/** @returns whether the address has had few failures today; being over is told, and locks nobody out */
async function count(tx: Tx, attempt: SignInAttempt): Promise<boolean> {
  const { pair, place, user } = subjectsOf(attempt);
  await consumeLimitIn(tx, pair, "failed_sign_ins", attempt.now);
  await consumeLimitIn(tx, place, "failed_sign_ins_per_address", attempt.now);
  return tryConsumeLimit(tx, user, "failed_sign_ins_per_person", attempt.now);
}

async function uncount(tx: Tx, attempt: SignInAttempt): Promise<void> {
  const { pair, place, user } = subjectsOf(attempt);
  await refundLimit(tx, pair, "failed_sign_ins", attempt.now);
  await refundLimit(tx, place, "failed_sign_ins_per_address", attempt.now);
  await refundLimit(tx, user, "failed_sign_ins_per_person", attempt.now);
}

/** Once a day; counted for addresses without an account too, which is the same work. */
async function tellOwner(
  { db, mailer, siteUrl }: UserServices,
  account: Account | null,
  attempt: SignInAttempt,
): Promise<void> {
  const isTold = await db.tx(async (tx) => {
    const isFirst = await tryConsumeLimit(tx, subjectsOf(attempt).user, "sign_in_notices", attempt.now);
    if (!isFirst || !account) return false;
    await recordSecurityEvent(tx, {
      accountId: account.id,
      kind: "sign_in_failing",
      subject: "From anywhere",
      now: attempt.now,
    });
    return true;
  });
  if (isTold && account) mailer.send(signInFailing(account.email, siteUrl));
}

/** What is counted. Texts that are no address share one count: nobody is behind them. */
function subjectsOf({ email, visitor }: Pick<SignInAttempt, "email" | "visitor">) {
  const user = normaliseEmail(email) ?? "nobody";
  const place = addressKey(visitor.ip);
  return { user, place, pair: `${user} ${place}` };
}

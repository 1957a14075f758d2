import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimitIn, refundLimit, resetLimit, tryConsumeLimit } from "../limits/window.ts";
import { signInFailing } from "../mail/templates/sign-in-failing.ts";
import { normaliseEmail } from "../people/email.ts";
import { findPerson, type Person, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { knownBrowserOf } from "./known-browsers.ts";
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
 * The person with an e-mail address and a password; null when one of them is wrong, after the same work. The attempt is
 * counted as a failure before the password is checked, so that simultaneous guesses are all counted; `recordSuccess` takes
 * that back.
 * @throws Refusal rate_limited; unavailable
 */
export async function personByPassword(services: UserServices, attempt: SignInAttempt): Promise<Person | null> {
  const { db } = services;
  const person = await personByEmail(db, attempt.email);
  const isWithinDailyLimit = await db.tx((tx) => countFailure(tx, attempt, person));
  const isRight = await verifyPassword(person?.passwordHash ?? null, attempt.password).catch(async (thrown) => {
    await db.tx((tx) => uncountFailure(tx, attempt, person));
    throw thrown;
  });
  if (isRight) return person;
  if (!isWithinDailyLimit) await notifyPerson(services, person, attempt);
  return null;
}

/** Takes an attempt with the right password out of the failures, in the transaction that it leads to. */
export async function recordSuccess(tx: Tx, attempt: SignInAttempt, person: Person): Promise<void> {
  await uncountFailure(tx, attempt, person);
  await resetFailures(tx, attempt, person);
}

/**
 * Forgets the failures of the network or browser at an address, and the failures in a row: whoever is there has proved to be
 * the person.
 */
export async function resetFailures(
  tx: Tx,
  who: Pick<SignInAttempt, "email" | "visitor">,
  person: Person,
): Promise<void> {
  const { asker, inARow } = subjectsOf(who, person);
  await resetLimit(tx, asker, "failed_sign_ins");
  for (const subject of new Set([person.id, inARow])) await resetLimit(tx, subject, "failed_sign_ins_in_a_row");
}

/** Whether the password has not been changed since the person was read. */
export async function isPasswordUnchanged(tx: Tx, { id, passwordHash }: Person): Promise<boolean> {
  const person = await findPerson(tx, id);
  return person !== null && person.passwordHash === passwordHash;
}

/**
 * Counts a failure of a browser that the person has signed in with by itself, so that nobody else can use up its limits.
 * @returns false when the e-mail address is over its daily limit: the person is notified
 */
async function countFailure(tx: Tx, attempt: SignInAttempt, person: Person | null): Promise<boolean> {
  const { now } = attempt;
  const { address, asker, network, inARow } = subjectsOf(attempt, person);
  await consumeLimitIn(tx, asker, "failed_sign_ins", now);
  if (network !== null) await consumeLimitIn(tx, network, "failed_sign_ins_per_address", now);
  const limit = inARowLimitOf(person);
  // Without Retry-After: the mailed link ends it, not time (NIST SP 800-63B section 3.2.2).
  if (!(await tryConsumeLimit(tx, inARow, limit, now))) throw new Refusal("rate_limited", LIMITS[limit].sentence);
  return tryConsumeLimit(tx, address, "failed_sign_ins_per_person", now);
}

async function uncountFailure(tx: Tx, attempt: SignInAttempt, person: Person | null): Promise<void> {
  const { now } = attempt;
  const { address, asker, network, inARow } = subjectsOf(attempt, person);
  await refundLimit(tx, asker, "failed_sign_ins", now);
  if (network !== null) await refundLimit(tx, network, "failed_sign_ins_per_address", now);
  await refundLimit(tx, inARow, inARowLimitOf(person), now);
  await refundLimit(tx, address, "failed_sign_ins_per_person", now);
}

/** An address that is nobody's is refused as another one is, but is not kept for long: anybody can name thousands. */
function inARowLimitOf(person: Person | null) {
  return person ? "failed_sign_ins_in_a_row" : "failed_sign_ins_without_account";
}

/** Mails the person, once a day. Addresses that are nobody's are counted too, for the same work. */
async function notifyPerson(
  { db, mailer, siteUrl }: UserServices,
  person: Person | null,
  attempt: SignInAttempt,
): Promise<void> {
  await db.tx(async (tx) => {
    const isFirst = await tryConsumeLimit(tx, subjectsOf(attempt, person).address, "sign_in_notices", attempt.now);
    if (!isFirst) return;
    await mailer.queue(tx, person && signInFailing(person.email, siteUrl));
    if (!person) return;
    await recordSecurityEvent(tx, {
      personId: person.id,
      kind: "sign_in_failing",
      subject: "From anywhere",
      now: attempt.now,
    });
  });
}

/**
 * The subjects that failures are counted for. Texts that are no e-mail address share one. `network` is null for a known
 * browser. Failures in a row count by the person's id, because they are kept without an end, and an address must not be.
 */
function subjectsOf({ email, visitor }: Pick<SignInAttempt, "email" | "visitor">, person: Person | null) {
  const address = normaliseEmail(email) ?? "nobody";
  const known = knownBrowserOf(visitor.known, person);
  const network = addressKey(visitor.ip);
  const inARow = person?.id ?? address;
  if (known === null) return { address, network, asker: `${address} ${network}`, inARow };
  return { address, network: null, asker: `${address} ${known}`, inARow: `${inARow} ${known}` };
}

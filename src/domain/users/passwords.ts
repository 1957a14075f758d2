import argon2 from "@node-rs/argon2";
import { Semaphore, TooManyWaiting } from "../../platform/concurrency.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { codePoints } from "../../platform/text.ts";
import { isCommon, isPattern, isPersonal } from "./guessable.ts";
import { commonPasswords, isListed } from "./password-list.ts";

/** `least` and `most` count code points after normalisation, `bytes` what was sent. */
const LENGTH = { least: 10, most: 128, bytes: 1_024 } as const;

/** argon2id with the minimum parameters that OWASP recommends. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of an unknown password, verified when an account has none, so that timing does not tell the two apart. */
const DUMMY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$LG1UEEu9AXg49tATdAYfqw$cODT2slnHm5y7o3SCpr6FgCbU7d6cLu3UabwMItaKSg";

/** A hash takes a whole CPU: more than two at once would slow everything else down. */
const hashing = new Semaphore(2, { maxWaiting: 64 });

/** What is wrong with a new password, as a sentence for the user; null when nothing is. */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  if (Buffer.byteLength(password) > LENGTH.bytes) return TOO_LONG;
  const text = normalised(password);
  const length = codePoints(text);
  if (length < LENGTH.least)
    return `Use at least ${LENGTH.least} characters; a few words in a row are easy to remember.`;
  if (length > LENGTH.most) return TOO_LONG;
  if (isPattern(text)) return "Repeated characters and plain sequences are easy to guess. Choose something else.";
  if (isCommon(text) || isListed(text, await commonPasswords()))
    return "This is one of the most common passwords. Choose something else.";
  if (isPersonal(text, email)) return "Your e-mail address and our name are easy to guess. Choose something else.";
  return null;
}

const TOO_LONG = `Use at most ${LENGTH.most} characters.`;

/** @throws Refusal invalid_request when something is wrong with a new password */
export async function requireGoodPassword(password: string, email: string): Promise<void> {
  const problem = await passwordProblem(password, email);
  if (problem === null) return;
  throw new Refusal("invalid_request", problem, { issues: [{ path: "password", message: problem }] });
}

/** The hash in PHC string format. @throws Refusal unavailable when too many passwords are being hashed */
export async function hashPassword(password: string): Promise<string> {
  return limited(() => argon2.hash(normalised(password), COST));
}

/** @param kept the stored hash; null for none: false after the same work. @throws Refusal unavailable as above */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  const isRight = await limited(() => argon2.verify(kept ?? DUMMY_HASH, normalised(password)));
  return isRight && kept !== null;
}

async function limited<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await hashing.run(work);
  } catch (thrown) {
    if (!(thrown instanceof TooManyWaiting)) throw thrown;
    throw new Refusal("unavailable", "Too many sign-ins right now. Try again in 5 s.", {}, { "Retry-After": "5" });
  }
}

/** NFKC makes a password the same on every keyboard (RFC 8265 section 4.2, NIST SP 800-63B). */
function normalised(password: string): string {
  return password.normalize("NFKC");
}

import { hash, verify } from "@node-rs/argon2";
import { Semaphore, TooManyWaiting } from "../../platform/concurrency.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { codePoints } from "../../platform/text.ts";
import { isCommon, isPattern, isPersonal } from "./guessable.ts";

/** Bytes before, code points after normalisation. */
const LENGTH = { least: 10, most: 128, bytes: 1_024 } as const;

/** argon2id with the least parameters that OWASP recommends: 19 MiB and about 15 ms of CPU for each hash. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Of a password nobody knows: looked at where there is none, so that time does not tell that. */
const NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$LG1UEEu9AXg49tATdAYfqw$cODT2slnHm5y7o3SCpr6FgCbU7d6cLu3UabwMItaKSg";

/** Hashing takes a whole CPU: more than these would slow everything else down. */
const hashing = new Semaphore(2, { maxWaiting: 64 });

/** What is wrong with a password that somebody chooses, as a sentence for the user; null when nothing is. */
export function passwordProblem(password: string, email: string): string | null {
  if (Buffer.byteLength(password) > LENGTH.bytes) return TOO_LONG;
  const text = normalised(password);
  const length = codePoints(text);
  if (length < LENGTH.least)
    return `Use at least ${LENGTH.least} characters; a few words in a row are easy to remember.`;
  if (length > LENGTH.most) return TOO_LONG;
  if (isPattern(text)) return "A repeated character or a plain sequence is guessed first. Choose something else.";
  if (isCommon(text)) return "This is one of the passwords that are guessed first. Choose something else.";
  if (isPersonal(text, email)) return "Your e-mail address and our name are guessed first. Choose something else.";
  return null;
}

const TOO_LONG = `Use at most ${LENGTH.most} characters.`;

/** The same, for the verbs that set one. @throws Refusal invalid_request */
export function requireGoodPassword(password: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem === null) return;
  throw new Refusal("invalid_request", problem, { issues: [{ path: "password", message: problem }] });
}

/** In PHC form. @throws Refusal unavailable when too many are being hashed */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalised(password), COST));
}

/** @param kept null where there is none: false after the same work. @throws Refusal unavailable, as above */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(kept ?? NOBODYS, normalised(password)));
  return isRight && kept !== null;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await hashing.run(work);
  } catch (thrown) {
    if (!(thrown instanceof TooManyWaiting)) throw thrown;
    throw new Refusal("unavailable", "Too many sign-ins right now. Try again in 5 s.", {}, { "Retry-After": "5" });
  }
}

/** The same password, whichever keyboard it was typed on (NFKC, as in RFC 8265 section 4.2 and NIST SP 800-63B). */
function normalised(password: string): string {
  return password.normalize("NFKC");
}

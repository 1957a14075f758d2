import { createHmac, randomBytes } from "node:crypto";
import { timingSafeEquals } from "../credentials/secrets.ts";
import type { Person } from "../people/people.ts";

/** Most people that a browser is remembered for. */
const MOST = 4;

type Known = Pick<Person, "id" | "passwordHash">;

/**
 * The value of the cookie by which a browser shows later that a person has signed in with it, so that
 * strangers cannot use up its limits. Each part is a random text with an HMAC under the hash of the password: it needs no
 * row, ends with the password, and signs nobody in.
 * @param held the value that the browser has
 */
export function rememberBrowser(held: string, person: Known): string {
  if (person.passwordHash === null) return held;
  const others = partsOf(held).filter((part) => !isPartOf(part, person));
  const nonce = randomBytes(16).toString("base64url");
  return [`${nonce}.${signatureOf(nonce, person)}`, ...others].slice(0, MOST).join("~");
}

/** What identifies a browser that the person has signed in with; null for any other. */
export function knownBrowserOf(held: string, person: Known | null): string | null {
  const part = person && partsOf(held).find((one) => isPartOf(one, person));
  return part ? `browser ${part.split(".")[0]}` : null;
}

function partsOf(held: string): string[] {
  return held
    .split("~")
    .slice(0, MOST)
    .filter((part) => /^[\w-]{22}\.[\w-]{43}$/.test(part));
}

function isPartOf(part: string, person: Known): boolean {
  const [nonce, signature] = part.split(".") as [string, string];
  return person.passwordHash !== null && timingSafeEquals(signature, signatureOf(nonce, person));
}

function signatureOf(nonce: string, { id, passwordHash }: Known): string {
  return createHmac("sha256", passwordHash!).update(`known browser\n${id}\n${nonce}`).digest("base64url");
}

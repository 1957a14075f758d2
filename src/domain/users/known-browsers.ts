import { createHmac, randomBytes } from "node:crypto";
import type { Account } from "../accounts/accounts.ts";
import { timingSafeEquals } from "../credentials/secrets.ts";

/** Most accounts that a browser is remembered for. */
const MOST = 4;

type Owner = Pick<Account, "id" | "passwordHash">;

/**
 * The value of the cookie by which a browser shows later that the owner of an account has signed in with it, so that
 * strangers cannot use up its limits. Each part is a random text with an HMAC under the hash of the password: it needs no
 * row, ends with the password, and signs nobody in.
 * @param held the value that the browser has
 */
export function rememberBrowser(held: string, account: Owner): string {
  if (account.passwordHash === null) return held;
  const others = partsOf(held).filter((part) => !isPartOf(part, account));
  const nonce = randomBytes(16).toString("base64url");
  return [`${nonce}.${signatureOf(nonce, account)}`, ...others].slice(0, MOST).join("~");
}

/** What identifies a browser that the owner of the account has signed in with; null for any other. */
export function knownBrowserOf(held: string, account: Owner | null): string | null {
  const part = account && partsOf(held).find((one) => isPartOf(one, account));
  return part ? `browser ${part.split(".")[0]}` : null;
}

function partsOf(held: string): string[] {
  return held
    .split("~")
    .slice(0, MOST)
    .filter((part) => /^[\w-]{22}\.[\w-]{43}$/.test(part));
}

function isPartOf(part: string, account: Owner): boolean {
  const [nonce, signature] = part.split(".") as [string, string];
  return account.passwordHash !== null && timingSafeEquals(signature, signatureOf(nonce, account));
}

function signatureOf(nonce: string, { id, passwordHash }: Owner): string {
  return createHmac("sha256", passwordHash!).update(`known browser\n${id}\n${nonce}`).digest("base64url");
}

import { resolve } from "node:path";
import type { Reader } from "../../db/engine.ts";
import { accountByEmail, findAccount } from "../domain/accounts/accounts.ts";
import { endAfterDay } from "../domain/credentials/key-end.ts";
import { normaliseEmail } from "../domain/people/email.ts";
import { SCOPES, type Scope } from "../platform/principal.ts";
import { hasControl } from "../platform/text.ts";
import { UsageError } from "./command.ts";

/** Far above any real grant, and small enough that sums stay exact. */
const MAX_CREDITS = 1_000_000_000;

export function emailOf(text: string): string {
  const email = normaliseEmail(text);
  if (email === null) throw new UsageError(`--email: "${text}" is not an e-mail address.`);
  return email;
}

export function nameOf(option: string, text: string): string {
  const name = text.trim();
  if (name === "" || name.length > 120 || hasControl(name)) {
    throw new UsageError(`--${option}: 1 to 120 characters, without control characters.`);
  }
  return name;
}

/** A whole number of credits, `min` or more. @throws UsageError */
export function creditsOf(text: string, min: number): number {
  const credits = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (credits >= min && credits <= MAX_CREDITS) return credits;
  throw new UsageError(`--credits: "${text}" is not a whole number from ${min} to ${MAX_CREDITS}.`);
}

/** A whole number from 1 to 10,000. @throws UsageError */
export function countOf(option: string, text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 10_000) return count;
  throw new UsageError(`--${option}: "${text}" is not a whole number from 1 to 10000.`);
}

export function scopesOf(text: string): Scope[] {
  const scopes = text.split(",").map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined) throw new UsageError(`--scopes: "${unknown}" is not one of ${SCOPES.join(", ")}.`);
  return SCOPES.filter((scope) => scopes.includes(scope));
}

/** The end of a key whose last day is given. @throws UsageError */
export function keyEndOf(text: string, now: number): number {
  const end = endAfterDay(text, now);
  if (end !== null) return end;
  throw new UsageError(`--expires: "${text}" is not a day as YYYY-MM-DD, from today (UTC) to ten years from now.`);
}

/** The absolute path of a file, given as a path or in the form of DATABASE_URL. */
export function fileOf(option: string, text: string): string {
  const path = text.replace(/^file:/, "");
  if (path !== "" && !/^\w+:\/\//.test(path)) return resolve(path);
  // The text is not quoted: it may be an address with a password.
  throw new UsageError(`--${option} must be the path of a file.`);
}

export const WHICH_ACCOUNT = {
  email: { value: "E", about: "E-mail address of the account" },
  account: { value: "ID", about: "Id of the account, instead of --email" },
} as const;

/**
 * Finds the account that `--email` or `--account` names.
 * @throws UsageError unless exactly one of them is given
 */
export function accountFinder({ email, account: id }: { email: string | undefined; account: string | undefined }) {
  if ((email === undefined) === (id === undefined)) throw new UsageError("Give either --email or --account.");
  return async (db: Reader) => {
    const account = email === undefined ? await findAccount(db, id!) : await accountByEmail(db, email);
    if (!account) throw new Error(`There is no account ${email ?? id}.`);
    if (account.deletedAt !== null) throw new Error(`The account ${id} was deleted.`);
    return account;
  };
}

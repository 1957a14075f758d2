import { domainToASCII } from "node:url";
import { type Column, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";

/** Condition: the column, A–Z as a–z, contains one of the texts. Absent when there is nothing to search for. */
export function containsAny(db: Reader, column: Column, texts: readonly string[]): SQL | undefined {
  return or(...texts.map((text) => sql`${db.caseless(column)} LIKE ${`%${asPattern(text)}%`} ESCAPE '!'`));
}

/** The text as a pattern of LIKE that stands for itself. */
function asPattern(text: string): string {
  return text.replace(/[!%_]/g, "!$&");
}

/**
 * The forms of a text to be found in a name. The database compares only A–Z without regard to case, so the other letters are
 * tried as typed, all small, all capital, and each word with a capital.
 */
export function formsInName(text: string): string[] {
  if (text === "") return [];
  const small = text.toLowerCase();
  const titled = small.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return distinct([text, small, text.toUpperCase(), titled]);
}

/**
 * The forms of a text to be found in a URL, which is stored in normal form: letters outside ASCII are percent-encoded in its
 * path, and in Punycode in its host.
 */
export function formsInUrl(text: string): string[] {
  if (text === "") return [];
  const whole = normaliseUrl(text);
  const names = formsInName(text).flatMap((form) => [form, percentEncoded(form)]);
  return distinct([...names, ...(whole === null ? [] : [whole]), ...(isAscii(text) ? [] : [domainToASCII(text)])]);
}

function percentEncoded(text: string): string {
  return text.replace(/\P{ASCII}+/gu, encodeURIComponent);
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** Each once, with A–Z as a–z, and no empty one. */
function distinct(texts: readonly string[]): string[] {
  const forms = texts.map((text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
  return [...new Set(forms)].filter((form) => form !== "");
}

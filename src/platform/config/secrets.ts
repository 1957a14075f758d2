import { ADDRESS_BREAK } from "./schemas.ts";

/** Finds the secrets in the value of a setting of which only parts are secret. */
export type SecretFinder = (value: string) => readonly string[];

/** The password of an address such as `postgres://user:password@host`: as written, and percent-decoded. */
export const passwordIn: SecretFinder = (address) => {
  if (!URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  return bothForms([password, searchParams.get("password") ?? ""]);
};

/**
 * Keys in the address of an API, such as `https://mainnet.example/v2/KEY` or `?api-key=KEY`: the user name, the password,
 * the values of the query, and each part of the path that is not made of plain words.
 */
export const keysIn: SecretFinder = (address) => {
  if (!URL.canParse(address)) return [];
  const { username, password, pathname, searchParams } = new URL(address);
  const parts = pathname.split("/").filter((part) => !PLAIN_WORDS.test(part));
  return bothForms([username, password, ...parts, ...searchParams.values()]);
};

/** Names of APIs and providers, which log lines need: `rapid_url_indexer`, `webmaster.svc`. */
const PLAIN_WORDS = /^[a-z]+(?:[._-][a-z]+)*$/;

/** `keysIn` for each address in `address,address`. */
export const keysInList: SecretFinder = (addresses) =>
  addresses.split(ADDRESS_BREAK).flatMap((one) => keysIn(one.trim()));

/** `keysIn` for each address in `name=address,name=address`. */
export const keysInEach: SecretFinder = (pairs) => valuesOf(pairs).flatMap(keysIn);

/** Each text of `text,text`. */
export const eachOf: SecretFinder = (texts) => texts.split(",").map((text) => text.trim());

/** Values of `name=value,name=value`, percent-encoded and decoded, and the token alone of one such as `Basic TOKEN`. */
export const headerValues: SecretFinder = (pairs) =>
  bothForms(valuesOf(pairs)).flatMap((value) => [value, value.split(/\s+/).at(-1) ?? ""]);

/**
 * The private key in the JSON of a service account's key file, line by line, so that it is found with any line breaks.
 * A path of that file has none.
 */
export const privateKeyIn: SecretFinder = (json) => {
  const [, body = ""] = /-----BEGIN [A-Z ]+-----([^-]+)-----END/.exec(json) ?? [];
  return body.split(/\\n|\s/);
};

function valuesOf(pairs: string): string[] {
  return pairs.split(",").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
}

function bothForms(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== "").flatMap((text) => [...new Set([text, decoded(text)])]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

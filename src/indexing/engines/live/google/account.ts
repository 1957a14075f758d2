import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseUrl } from "../../../../platform/text.ts";

export interface ServiceAccount {
  readonly clientEmail: string;
  readonly key: KeyObject;
  readonly keyId: string | undefined;
  readonly tokenUri: string;
}

/**
 * Reads the service account of GOOGLE_SERVICE_ACCOUNT: the path of a key file, or its JSON. Several accounts are
 * refused, because Google regards their rotation as circumventing its quotas
 * (https://developers.google.com/search/apis/indexing-api/v3/quota-pricing).
 * @throws Error that names the setting and quotes nothing of its value
 */
export function readServiceAccount(setting: string): ServiceAccount {
  const text = setting.trim();
  const value = parseJson(/^[{[]/.test(text) ? text : readKeyFile(text));
  if (Array.isArray(value)) throw wrong(EXACTLY_ONE);
  if (typeof value !== "object" || value === null) throw wrong("is not the key file of a service account");
  const { type, client_email, private_key, private_key_id, token_uri } = value as Record<string, unknown>;
  if (type !== "service_account") throw wrong('is a key file of another type than "service_account"');
  if (typeof client_email !== "string" || client_email === "") throw wrong("has no client_email");
  return {
    clientEmail: client_email,
    key: keyOf(private_key),
    keyId: typeof private_key_id === "string" ? private_key_id : undefined,
    tokenUri: tokenUriOf(token_uri),
  };
}

const EXACTLY_ONE = "must name exactly one service account: rotating several would circumvent Google's quotas";

function wrong(what: string): Error {
  return new Error(`GOOGLE_SERVICE_ACCOUNT ${what}`);
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw wrong(path.includes(",") ? EXACTLY_ONE : "is neither JSON nor the path of a file that can be read");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(/}\s*,?\s*{/.test(text) ? EXACTLY_ONE : "is not valid JSON");
  }
}

function keyOf(pem: unknown): KeyObject {
  if (typeof pem !== "string") throw wrong("has no private_key");
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw wrong("has a private_key that cannot be read");
  }
  if (key.asymmetricKeyType !== "rsa") throw wrong("has a private_key that is not an RSA key");
  return key;
}

/** Only https, or a fake on this machine: whoever receives the assertion can use it like the key for an hour. */
function tokenUriOf(value: unknown): string {
  if (value === undefined) return "https://oauth2.googleapis.com/token";
  const url = typeof value === "string" ? parseUrl(value) : null;
  const isLocal = url?.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (!url || (url.protocol !== "https:" && !isLocal)) throw wrong("has a token_uri that is no https address");
  return url.href;
}

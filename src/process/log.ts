import { type Logger, pino } from "pino";
import { PREFIXES } from "../domain/credentials/secrets.ts";
import { CARD_METHODS } from "../domain/payments/find-method.ts";
import type { Config } from "../platform/config/config.ts";
import { serializeError } from "../platform/errors/error-format.ts";

export type Log = Logger;

type LogSettings = Pick<Config, "logLevel"> & Partial<Pick<Config, "secrets">>;

/**
 * Writes JSON lines to standard error. Secrets are removed from the finished line, wherever they are in it. Errors
 * (`err`) are written as error-format.ts reduces them.
 */
export function createLog(
  { logLevel, secrets = [] }: LogSettings,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const known = anyOf(secrets);
  return pino(
    { level: logLevel, base: null, serializers: { err: (thrown: unknown) => serializeError(thrown) } },
    { write: (line: string) => write(withoutSecrets(line, known)) },
  );
}

/** Shorter secrets are not searched for, because they occur in ordinary text. */
const MIN_SECRET_LENGTH = 12;

/**
 * Matches the secret settings by their values, because their form does not tell them apart: a private key looks like
 * a transaction hash, and the URL of an RPC often ends in a key.
 */
function anyOf(secrets: readonly string[]): RegExp {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  // A secret may be a prefix of another, so the longer one is tried first.
  const patterns = long.sort((a, b) => b.length - a.length).map((secret) => [...secret].map(patternOf).join(""));
  return new RegExp(patterns.join("|") || NEVER, "gi");
}

/**
 * Matches a character as it is, JSON-escaped (also in JSON within JSON), percent-encoded, or as forms write a space.
 */
function patternOf(character: string): string {
  if (/\w/.test(character)) return character;
  const [, escaped = ""] = /^\\?(.*)$/s.exec(JSON.stringify(character).slice(1, -1)) ?? [];
  const percent = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  return `(?:${BACKSLASHES}${escaped.replace(/\W/g, "\\$&")}|${percent}${character === " " ? "|\\+" : ""})`;
}

/** JSON that is nested three times has 7 backslashes before a quote. */
const BACKSLASHES = "\\\\{0,7}";

const NEVER = "(?!)";

const SECRET_FIELDS = [
  "authorization|x-api-key|apiKey|cookie|set-cookie",
  "payment-signature|payment-authorization|x-payment",
  ...[...CARD_METHODS.values()].map(({ webhook }) => webhook.signatureHeader),
  "signature|r|s|privateKey|secretKey|webhookSecret",
].join("|");
const SECRET_FIELD = new RegExp(`("(?:${SECRET_FIELDS})":)(?:"(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\])`, "gi");

/** Tokens and secrets that this service issues, by their prefixes. */
const TOKEN = new RegExp(`\\b(${Object.values(PREFIXES).join("|")})[\\w-]{43}`, "g");

function withoutSecrets(line: string, known: RegExp): string {
  return (
    line
      .replace(known, "[redacted]")
      .replace(SECRET_FIELD, '$1"[redacted]"')
      .replace(/\bbk_(live|test)_[\w-]+/g, "bk_$1_[redacted]")
      .replace(TOKEN, "$1[redacted]")
      .replace(/\b([rs]k_(?:live|test)_|whsec_)[\w+/=-]+/g, "$1[redacted]")
      .replace(/\bt=\d+,v\d=[\w,=]+/g, "[redacted signature]")
      .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "[redacted JWT]")
      // A JSON object in base64, as signed payments are sent.
      .replace(/\be(?:yJ|yA|wo|w0)[\w+/-]{60,}=*/g, "[redacted payment]")
      // Longer than a hash: a signature, or a contract call that contains one.
      .replace(/\b0x[\da-f]{65,}/gi, "[redacted bytes]")
      .replace(/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^"-]*(?:-----END \1-----)?/g, "[redacted private key]")
      .replace(/\$argon2\w+\$[\w$=,+/]+/g, "[redacted hash]")
      // The password in the URL of a database, which may contain an @, and in any other URL.
      .replace(/\b(postgres(?:ql)?:\/\/[^\s"/:@]*:)[^\s"]*@/gi, "$1[redacted]@")
      .replace(/\b([a-z][a-z\d+.-]{0,30}:\/\/[^\s"/:@?#]*:)(?!\[redacted\]@)[^\s"/?#@]+@/gi, "$1[redacted]@")
      .replace(/([?&]password=)[^\s"&#]+/gi, "$1[redacted]")
      .replace(/\bBearer +[\w.~+/=-]+/gi, "Bearer [redacted]")
  );
}

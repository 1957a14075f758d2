import { type Logger, pino } from "pino";
import { PREFIXES } from "../domain/auth/secrets.ts";
import type { Config } from "../platform/config/config.ts";
import { passwordsOf } from "../platform/config/database.ts";
import { serializeError } from "../platform/errors/error-format.ts";

export type Log = Logger;

type Settings = Pick<Config, "logLevel"> &
  Partial<Pick<Config, "stripe" | "webhookSecret" | "direct" | "databaseUrl" | "metricsToken">>;

/**
 * JSON lines on standard error. Secrets are taken out of the finished line, wherever in it they stand; of an error (`err`)
 * only what may be written down gets there (error-format.ts).
 */
export function createLog(
  settings: Settings,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const known = knownSecrets(settings);
  return pino(
    { level: settings.logLevel, base: null, serializers: { err: (thrown: unknown) => serializeError(thrown) } },
    { write: (line: string) => write(withoutSecrets(line, known)) },
  );
}

/** Shorter ones are nobody's secret, and would be found in every line. */
const SHORTEST = 12;

/**
 * Secrets of the settings, which their form does not always tell: a private key looks like the hash of a transaction,
 * and the address of an RPC often ends in a key.
 */
function knownSecrets({ stripe, webhookSecret, direct, databaseUrl = "", metricsToken }: Settings): RegExp {
  const { facilitator, rpcUrl = "" } = direct ?? {};
  const key = facilitator && "key" in facilitator ? facilitator.key.slice("0x".length) : undefined;
  const afterHost = rpcUrl
    .split("/")
    .slice(3)
    .join("/")
    .split(/[/?&=]/);
  const card = [stripe?.secretKey, stripe?.webhookSecret, webhookSecret];
  const values = [...card, key, ...afterHost, ...passwordsOf(databaseUrl), metricsToken];
  const secrets = values.filter((value): value is string => value !== undefined && value.length >= SHORTEST);
  const patterns = secrets.map((secret) => JSON.stringify(secret).slice(1, -1).replace(/\W/g, "\\$&"));
  return new RegExp(patterns.join("|") || NEVER, "gi");
}

const NEVER = "(?!)";

const SECRET_FIELDS = [
  "authorization|x-api-key|apiKey|cookie|set-cookie",
  "payment-signature|payment-authorization|x-payment|stripe-signature",
  "signature|r|s|privateKey|secretKey|webhookSecret",
].join("|");
const SECRET_FIELD = new RegExp(`("(?:${SECRET_FIELDS})":)(?:"(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\])`, "gi");

/** Everything that sign-in hands out, hashes of passwords, and JWTs. */
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
      // More than a hash: a signature, or the call of a contract that carries one.
      .replace(/\b0x[\da-f]{65,}/gi, "[redacted bytes]")
      .replace(/\$argon2\w+\$[\w$=,+/]+/g, "[redacted hash]")
      // The password in the address of a database, which may hold an @ of its own, and in that of anything else.
      .replace(/\b(postgres(?:ql)?:\/\/[^\s"/:@]*:)[^\s"]*@/gi, "$1[redacted]@")
      .replace(/\b([a-z][a-z\d+.-]*:\/\/[^\s"/:@?#]*:)(?!\[redacted\]@)[^\s"/?#@]+@/gi, "$1[redacted]@")
      .replace(/([?&]password=)[^\s"&#]+/gi, "$1[redacted]")
      .replace(/\bBearer +[\w.~+/=-]+/gi, "Bearer [redacted]")
  );
}

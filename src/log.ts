import { type Logger, pino } from "pino";
import { PREFIXES } from "./auth/secrets.ts";
import type { Config } from "./config.ts";

export type Log = Logger;

/** JSON lines on standard error. Secrets are taken out of the finished line, wherever in it they stand. */
export function createLog(
  level: Config["logLevel"],
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  return pino({ level, base: null }, { write: (line: string) => write(withoutSecrets(line)) });
}

const SECRET_FIELD = /("(?:authorization|x-api-key|apiKey|cookie|set-cookie)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;

/** Everything that sign-in hands out, hashes of passwords, and JWTs. */
const TOKEN = new RegExp(`\\b(${Object.values(PREFIXES).join("|")})[\\w-]{43}`, "g");

export function withoutSecrets(line: string): string {
  return line
    .replace(SECRET_FIELD, '$1"[redacted]"')
    .replace(/\bbk_(live|test)_[\w-]+/g, "bk_$1_[redacted]")
    .replace(TOKEN, "$1[redacted]")
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "[redacted JWT]")
    .replace(/\$argon2\w+\$[\w$=,+/]+/g, "[redacted hash]")
    .replace(/\bBearer +[\w.~+/=-]+/gi, "Bearer [redacted]");
}

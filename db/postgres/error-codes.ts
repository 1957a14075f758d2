import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";

/** The SQLSTATE of an error or of one of its causes; undefined if there is none. */
export function sqlStateOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && /^[\dA-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** serialization_failure, deadlock_detected, lock_not_available: the same transaction may succeed a moment later. */
const TRANSIENT = new Set(["40001", "40P01", "55P03"]);

/**
 * Whether a transaction failed only because of concurrent ones. When two transactions insert the same new row, one may get a
 * unique_violation (23505). If there was no such race, the next attempt fails in the same way.
 */
export function isConflict(thrown: unknown, attempt: number): boolean {
  const state = sqlStateOf(thrown);
  return state !== undefined && (TRANSIENT.has(state) || (state === "23505" && attempt < 3));
}

/** SQLSTATE classes and codes of a server that is unavailable (PostgreSQL manual, appendix A), with our messages. */
const UNAVAILABLE: readonly (readonly [prefix: string, words: string])[] = [
  // The only code of a pooler: it refused the user, is full, or lost the server.
  ["08P01", "The pooler in front of PostgreSQL refused or lost the connection; its log says why."],
  ["08", "The connection to PostgreSQL was lost."],
  ["53100", "PostgreSQL's disk is full."],
  ["53300", "PostgreSQL takes no more connections; its max_connections has to hold the pools of all processes."],
  ["53", "PostgreSQL is out of resources."],
  ["57014", "PostgreSQL took too long over a statement."],
  ["57P", "PostgreSQL is starting, stopping or was killed."],
  ["25006", "PostgreSQL takes no changes: it is a standby, or the database is set to default_transaction_read_only."],
  ["58", "PostgreSQL has trouble with its files."],
];

/** Codes and messages of node:net, node:dns and pg for an unreachable server, with our words; most errors of pg have no code. */
const UNREACHABLE: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^ECONNREFUSED/, "the connection was refused"],
  [/^(?:ENOTFOUND|EAI_)/, "the name of its host is not known"],
  [/^(?:EHOSTUNREACH|ENETUNREACH)/, "there is no way to its host"],
  [/^ETIMEDOUT|timeout expired|Query read timeout/i, "it is silent"],
  [
    /^(?:ECONN|EPIPE)|Connection terminated|connection error|not queryable|server conn crashed/i,
    "the connection broke",
  ],
];

/** The DatabaseUnavailable to throw instead, if the error means that the database is unavailable; else null. */
export function asUnavailable(thrown: unknown): DatabaseUnavailable | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    // It has more information than its cause, such as whether a commit may have happened.
    if (error instanceof DatabaseUnavailable) return error;
  }
  const state = sqlStateOf(thrown);
  for (const [prefix, words] of UNAVAILABLE)
    if (state?.startsWith(prefix)) return new DatabaseUnavailable(words, thrown);
  if (state !== undefined) return null;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code = "", message } = error as Error & { code?: string };
    if (/timeout exceeded when trying to connect/.test(message)) {
      return new DatabaseUnavailable("No connection to PostgreSQL was free, or could be made, in time.", thrown);
    }
    const known = UNREACHABLE.find(([pattern]) => pattern.test(String(code)) || pattern.test(message));
    if (known) return new DatabaseUnavailable(`PostgreSQL does not answer: ${known[1]}.`, thrown);
  }
  return null;
}

/**
 * Whether a connection had broken while it was idle, after a restart of the server or by the network. The statement did not
 * begin then, and another connection may work at once. False for a timeout, after which the caller has waited long enough.
 */
export function isDeadConnection(thrown: unknown): boolean {
  if (asUnavailable(thrown) === null) return false;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (/timeout/i.test(error.message) || (error as { code?: string }).code === "ETIMEDOUT") return false;
  }
  const state = sqlStateOf(thrown);
  return state === undefined || /^(?:08|57P)/.test(state);
}

/**
 * Explains a refused connection to the person who wrote DATABASE_URL, without the password.
 * @returns null if waiting may help
 */
export function explainRefusal(thrown: unknown, url: string): string | null {
  const { username, hostname, pathname } = new URL(url);
  const { code = "", message, syscall, path } = (thrown ?? {}) as NodeJS.ErrnoException;
  const database = decodeURIComponent(pathname.slice(1));
  switch (sqlStateOf(thrown)) {
    case "28P01":
    case "28000":
      return `PostgreSQL at ${hostname} refuses the user "${decodeURIComponent(username)}" or its password. Check both in DATABASE_URL.`;
    case "3D000":
      return `PostgreSQL at ${hostname} has no database "${database}". Make it with: createdb ${database}`;
    case "42501":
      return `The user "${decodeURIComponent(username)}" may not make tables in "${database}". Make it the database's owner.`;
    default:
      break;
  }
  if (!(thrown instanceof Error)) return null;
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return `The host of DATABASE_URL, "${hostname}", is not known to this machine.`;
  }
  if (/SASL|password must be a string/.test(message)) {
    return `PostgreSQL at ${hostname} wants a password. Write it into DATABASE_URL, as in postgres://user:password@host/database.`;
  }
  if (syscall === "open") return `The file ${path} that DATABASE_URL names cannot be read (${code}).`;
  if (/CERT|UNABLE_TO_VERIFY/.test(code)) {
    // After a semicolon, newer versions of Node.js advise on options of their own.
    const [reason] = message.split("; ");
    return `The certificate of PostgreSQL at ${hostname} is not trusted: ${reason}. If it is signed by a CA of your own, name the CA's certificate in DATABASE_URL: sslrootcert=FILE.`;
  }
  if (/SSL/.test(message)) {
    return `PostgreSQL at ${hostname} and this program do not agree on TLS: ${message}. Check sslmode in DATABASE_URL.`;
  }
  return null;
}

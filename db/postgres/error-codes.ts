import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";

/** SQLSTATE of PostgreSQL's error, however deep it is wrapped; undefined where the error is another one. */
export function sqlStateOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && /^[\dA-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** serialization_failure, deadlock_detected, lock_not_available: the same transaction may pass a moment later. */
const PASSING = new Set(["40001", "40P01", "55P03"]);

/**
 * A transaction that failed only because of others at the same time. Two that insert what neither has found may be told
 * of a unique_violation (23505) instead; one that is no such race fails the same way again.
 */
export function isConflict(thrown: unknown, attempt: number): boolean {
  const state = sqlStateOf(thrown);
  return state !== undefined && (PASSING.has(state) || (state === "23505" && attempt < 3));
}

/** Classes and codes that say that the server cannot work now (PostgreSQL manual, appendix A), with our words for them. */
const AWAY: readonly (readonly [prefix: string, words: string])[] = [
  // A pooler's only code, whether it refuses the user, has no room, or lost the server.
  ["08P01", "The pooler before PostgreSQL refuses the connection, or lost it; its log says why."],
  ["08", "The connection to PostgreSQL was lost."],
  ["53100", "PostgreSQL's disk is full."],
  ["53300", "PostgreSQL takes no more connections; its max_connections has to hold the pools of all processes."],
  ["53", "PostgreSQL is out of resources."],
  ["57014", "PostgreSQL took too long over a statement."],
  ["57P", "PostgreSQL is starting, stopping or was killed."],
  ["25006", "PostgreSQL takes no changes: it is a standby, or the database is set to default_transaction_read_only."],
  ["58", "PostgreSQL has trouble with its files."],
];

/** What node:net, node:dns and pg say when nobody answers, with what it means; pg gives most of them no code. */
const UNREACHED: readonly (readonly [said: RegExp, why: string])[] = [
  [/^ECONNREFUSED/, "the connection was refused"],
  [/^(?:ENOTFOUND|EAI_)/, "the name of its host is not known"],
  [/^(?:EHOSTUNREACH|ENETUNREACH)/, "there is no way to its host"],
  [/^ETIMEDOUT|timeout expired|Query read timeout/i, "it is silent"],
  [
    /^(?:ECONN|EPIPE)|Connection terminated|connection error|not queryable|server conn crashed/i,
    "the connection broke",
  ],
];

/** @returns what to throw instead, where the database cannot be worked with now; null for every other error */
export function asUnavailable(thrown: unknown): DatabaseUnavailable | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    // It knows more than what it was caused by does, such as whether a commit may have happened.
    if (error instanceof DatabaseUnavailable) return error;
  }
  const state = sqlStateOf(thrown);
  for (const [prefix, words] of AWAY) if (state?.startsWith(prefix)) return new DatabaseUnavailable(words, thrown);
  if (state !== undefined) return null;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code = "", message } = error as Error & { code?: string };
    if (/timeout exceeded when trying to connect/.test(message)) {
      return new DatabaseUnavailable("No connection to PostgreSQL was free, or could be made, in time.", thrown);
    }
    const known = UNREACHED.find(([said]) => said.test(String(code)) || said.test(message));
    if (known) return new DatabaseUnavailable(`PostgreSQL does not answer: ${known[1]}.`, thrown);
  }
  return null;
}

/**
 * A connection that had died while nobody used it, which the server's restart or a network between does: what was asked
 * over it did not begin, and another connection may answer at once. Not one that is silent, for which somebody has
 * waited long enough already.
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
 * Why a first connection failed, as the person who wrote DATABASE_URL needs it. Never the password.
 * @returns null where waiting may help
 */
export function explainRefusal(thrown: unknown, url: string): string | null {
  const { username, hostname, pathname } = new URL(url);
  const { code = "", message, syscall, path } = (thrown ?? {}) as NodeJS.ErrnoException;
  const database = decodeURIComponent(pathname.slice(1));
  switch (sqlStateOf(thrown)) {
    case "28P01":
    case "28000":
      return `PostgreSQL at ${hostname} refuses the user "${decodeURIComponent(username)}" or its password. Both stand in DATABASE_URL.`;
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
    return `The certificate of PostgreSQL at ${hostname} is not trusted: ${message}. Where its signer is one of your own, name the signer's certificate in DATABASE_URL: sslrootcert=FILE.`;
  }
  if (/SSL/.test(message)) {
    return `PostgreSQL at ${hostname} and this program do not agree on TLS: ${message}. It is sslmode in DATABASE_URL that says how they speak.`;
  }
  return null;
}

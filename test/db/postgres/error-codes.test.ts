import { expect, test } from "vitest";
import {
  asUnavailable,
  explainRefusal,
  isConflict,
  isDeadConnection,
  sqlStateOf,
} from "../../../db/postgres/error-codes.ts";
import { DatabaseUnavailable, isUnavailable } from "../../../src/platform/errors/database-unavailable.ts";

const failure = (code: string, message = "x") => Object.assign(new Error(message), { code });
/** As drizzle hands on what a driver throws. */
const wrapped = (cause: Error) => new Error("Failed query: select 1", { cause });

test("SQLSTATE is found however deep the error is wrapped, and codes of Node.js are not taken for one", () => {
  expect(sqlStateOf(failure("40001"))).toBe("40001");
  expect(sqlStateOf(wrapped(wrapped(failure("57P01"))))).toBe("57P01");
  for (const other of [failure("ECONNRESET"), failure("EPIPE "), new Error("x"), "40001", undefined]) {
    expect(sqlStateOf(other)).toBe(undefined);
  }
});

test.each([
  ["40001", 1, true],
  ["40001", 50, true],
  ["40P01", 50, true],
  ["55P03", 50, true],
  ["23505", 1, true],
  ["23505", 2, true],
  // It was no race then.
  ["23505", 3, false],
  ["23503", 1, false],
  ["P0001", 1, false],
  ["57P01", 1, false],
])("%s at attempt %i is retried: %s", (code, attempt, again) => {
  expect(isConflict(wrapped(failure(code)), attempt)).toBe(again);
});

test.each([
  [failure("08006"), /connection to PostgreSQL was lost/],
  [failure("08P01"), /pooler .* its log says why/],
  [failure("53100"), /disk is full/],
  [failure("53300"), /max_connections/],
  [failure("53200"), /out of resources/],
  [failure("57014"), /too long over a statement/],
  [failure("57P01"), /starting, stopping or was killed/],
  [failure("57P03"), /starting, stopping or was killed/],
  [failure("25006"), /takes no changes: it is a standby, or the database is set to default_transaction_read_only/],
  [failure("58030"), /trouble with its files/],
  [failure("ECONNREFUSED"), /does not answer: the connection was refused/],
  [failure("ENOTFOUND"), /does not answer: the name of its host is not known/],
  [failure("EHOSTUNREACH"), /does not answer: there is no way to its host/],
  [failure("ECONNRESET"), /does not answer: the connection broke/],
  [new Error("Connection terminated unexpectedly"), /does not answer: the connection broke/],
  [new Error("Query read timeout"), /does not answer: it is silent/],
  [new Error("timeout expired"), /does not answer: it is silent/],
  [new Error("timeout exceeded when trying to connect"), /No connection to PostgreSQL was free/],
])("unavailable: %s", (thrown, words) => {
  const away = asUnavailable(wrapped(thrown));
  expect(away).toBeInstanceOf(DatabaseUnavailable);
  expect(away!.message).toMatch(words);
  expect(away!.mayHaveHappened).toBe(false);
  expect(isUnavailable(new Error("x", { cause: away }))).toBe(true);
});

test.each(["40001", "23505", "22021", "42P01", "P0001"])(
  "%s does not mean that the database is unavailable",
  (code) => {
    // Whatever its message says.
    expect(asUnavailable(wrapped(failure(code, "Connection terminated")))).toBe(null);
  },
);

test("law: an unknown outcome of a commit stays unknown, however the error is wrapped", () => {
  const doubt = new DatabaseUnavailable("x", failure("08006"), true);
  expect(asUnavailable(wrapped(wrapped(doubt)))).toBe(doubt);
});

test.each([
  [failure("57P01"), true],
  [failure("08006"), true],
  [failure("ECONNRESET"), true],
  [new Error("Connection terminated unexpectedly"), true],
  // Somebody has waited for these already.
  [new Error("Query read timeout"), false],
  [new Error("timeout exceeded when trying to connect"), false],
  [failure("ETIMEDOUT"), false],
  [failure("53300"), false],
  [failure("40001"), false],
])("the connection died while idle, so another one may be tried: %s: %s", (thrown, dead) => {
  expect(isDeadConnection(wrapped(thrown))).toBe(dead);
});

const URL_OF = "postgres://ann%40x:s3cret@db.example:5433/beck%20on";

test.each([
  [failure("28P01"), 'PostgreSQL at db.example refuses the user "ann@x" or its password. Check both in DATABASE_URL.'],
  [failure("3D000"), 'PostgreSQL at db.example has no database "beck on". Make it with: createdb beck on'],
  [failure("42501"), 'The user "ann@x" may not make tables in "beck on". Make it the database\'s owner.'],
  [failure("ENOTFOUND"), 'The host of DATABASE_URL, "db.example", is not known to this machine.'],
  [
    new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
    "PostgreSQL at db.example wants a password. Write it into DATABASE_URL, as in postgres://user:password@host/database.",
  ],
  [
    failure("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"),
    "The certificate of PostgreSQL at db.example is not trusted: self-signed certificate. If it is signed by a CA of your own, name the CA's certificate in DATABASE_URL: sslrootcert=FILE.",
  ],
  [
    Object.assign(failure("ENOENT"), { syscall: "open", path: "/root.crt" }),
    "The file /root.crt that DATABASE_URL names cannot be read (ENOENT).",
  ],
])("a refusal of the first connection is explained, without the password: %s", (thrown, words) => {
  expect(explainRefusal(thrown, URL_OF)).toBe(words);
});

test.each(["ECONNREFUSED", "57P03", "53300"])("%s is waited for instead", (code) => {
  expect(explainRefusal(failure(code), URL_OF)).toBe(null);
});

import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { DatabaseUnavailable } from "../../../../src/platform/errors/database-unavailable.ts";
import { errorMessage, errorReport, serializeError } from "../../../../src/platform/errors/error-format.ts";

/** As pg throws it. */
function serverError(code: string, message: string): Error {
  const detail = "Key (email)=(person@example.com) already exists.";
  return Object.assign(new Error(message), {
    code,
    severity: "ERROR",
    detail,
    where: "hash 9f1d22c3",
    table: "accounts",
  });
}

const SECRETS = /person@example|9f1d22c3|secret-page/;
const unique = serverError("23505", 'duplicate key value violates unique constraint "accounts_email"');
const query = new DrizzleQueryError(
  'insert into "accounts" ("email", "hash") values ($1, $2)',
  ["person@example.com", "9f1d22c3"],
  unique,
);

test("a failed statement is logged with its text, the server's message and its SQLSTATE, and without values", () => {
  const formatted = serializeError(query);
  expect(formatted).toMatchObject({
    message: 'duplicate key value violates unique constraint "accounts_email"',
    statement: 'insert into "accounts" ("email", "hash") values ($1, $2)',
    cause: { code: "23505", table: "accounts" },
  });
  expect(formatted.stack).toMatch(/\n {4}at .*error-format\.test/);
});

test.each([
  ["itself", query],
  ["as a cause", new DatabaseUnavailable("PostgreSQL does not answer.", query)],
  ["among several", new AggregateError([query, unique], "all failed")],
  ["about a value", serverError("22P02", 'invalid input syntax for type bigint: "secret-page"')],
  [
    "about a value, in a statement",
    new DrizzleQueryError("select $1", ["secret-page"], serverError("22001", "too long: secret-page")),
  ],
])("law: values of a statement are not logged: %s", (_, thrown) => {
  for (const text of [JSON.stringify(serializeError(thrown)), errorReport(thrown), errorMessage(thrown)])
    expect(text).not.toMatch(SECRETS);
});

test("errors of other libraries keep their fields and their causes", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", port: 5432 });
  const thrown = new TypeError("no answer", { cause });
  expect(serializeError(thrown)).toMatchObject({
    type: "TypeError",
    message: "no answer",
    cause: { type: "Error", message: "connect ECONNREFUSED", code: "ECONNREFUSED", port: 5432 },
  });
  expect(errorReport(thrown)).toMatch(
    /^TypeError: no answer\n {4}at .*[\s\S]*\ncaused by Error: connect ECONNREFUSED\n/,
  );
});

test("any thrown value can be formatted, even with causes that form a circle", () => {
  const circle = new Error("round");
  circle.cause = circle;
  expect(JSON.stringify(serializeError(circle))).toContain("round");
  for (const odd of [null, undefined, "text", 7, { a: 1 }]) expect(serializeError(odd)).toHaveProperty("message");
});

import Database from "better-sqlite3";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { asUnavailable, asUnavailableCommit } from "../../../db/sqlite/error-codes.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";

const failure = (code: string) => new Database.SqliteError("words of SQLite", code);

test.each([
  ["SQLITE_FULL", /disk.*is full/],
  ["SQLITE_BUSY", /Another program/],
  ["SQLITE_BUSY_RECOVERY", /Another program/],
  ["SQLITE_IOERR_WRITE", /cannot be read or written/],
  ["SQLITE_CANTOPEN", /cannot be opened/],
])("%s means that the database is unavailable, wrapped or not", (code, words) => {
  for (const thrown of [failure(code), new DrizzleQueryError("select 1", [], failure(code))]) {
    const away = asUnavailable(thrown)!;
    expect(away).toBeInstanceOf(DatabaseUnavailable);
    expect([away.message, away.mayHaveHappened]).toEqual([expect.stringMatching(words), false]);
    // It is itself, whoever asks again.
    expect(asUnavailable(away)).toBe(away);
  }
});

test.each(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_READONLY", "SQLITE_CORRUPT", "SQLITE_ERROR"])(
  "%s is another error, which is not retried",
  (code) => {
    expect(asUnavailable(failure(code))).toBeNull();
    expect(asUnavailableCommit(failure(code))).toBeNull();
  },
);

test("law: a COMMIT whose sync failed may have happened; one that found no room did not", () => {
  expect(asUnavailableCommit(failure("SQLITE_IOERR_FSYNC"))).toMatchObject({ mayHaveHappened: true });
  expect(asUnavailableCommit(failure("SQLITE_FULL"))).toMatchObject({ mayHaveHappened: false });
});

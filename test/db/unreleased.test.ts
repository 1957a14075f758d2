import { readFileSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { isPostgres, openDatabase, sqlitePath } from "../../db/open.ts";
import { readDatabaseSchema } from "../support/checks/database-schema.ts";
import { testDatabase } from "../support/database/database.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { makeUnreleased, unreleasedSentence } from "../support/database/schema-ages.ts";
import { beckon } from "../support/service/cli.ts";

let url: string;
beforeEach(async () => {
  const made = await testDatabase();
  onTestFinished(made.drop);
  url = made.url;
  // Development versions had fewer tables.
  await rawQuery(url, "DROP TABLE watches");
  // As in a file that was restored or copied: opening it for good would set the journal mode.
  if (!isPostgres(url)) await rawQuery(url, "PRAGMA journal_mode = DELETE");
  await makeUnreleased(url);
});

/** Everything that a start could change. */
async function contents(): Promise<unknown> {
  if (!isPostgres(url)) return readFileSync(sqlitePath(url)).toString("base64");
  return [await readDatabaseSchema(url), await rawQuery(url, "SELECT * FROM migrations ORDER BY hash")];
}

const SENTENCE = unreleasedSentence("The database");

test("refused: a database of a development version, which stays unchanged", async () => {
  const before = await contents();
  await expect(openDatabase(url)).rejects.toThrow(new Error(SENTENCE));
  expect(await contents()).toEqual(before);
});

test.each(["serve", "audit", "doctor"])(
  "refused: beckon %s on a database of a development version says what it is and what to do",
  async (command) => {
    const before = await contents();
    const { code, out, err } = await beckon({ DATABASE_URL: url, PORT: "0" }, command);
    expect(code).toBe(1);
    expect(out + err).toContain(SENTENCE);
    expect(out + err).not.toMatch(/^ +at /m);
    expect(await contents()).toEqual(before);
  },
);

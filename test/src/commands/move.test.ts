import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { makeUnreleased, unreleasedSentence } from "../../support/database/schema-ages.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";

const NOBODY = "postgres://beckon:s3cret@127.0.0.1:1/beckon";

test("exit 2: the source or the target is invalid", async () => {
  const file = `file:${join(scratchFolder(), "test.db")}`;
  const messageOf = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const { code, err } = await beckon(env, "move", ...args);
    expect(code).toBe(2);
    return err;
  };
  expect(await messageOf({ DATABASE_URL: file })).toMatch(/^beckon: --to: name the target, as postgres:\/\//);
  expect(await messageOf({ DATABASE_URL: file }, "--to", "file:other.db")).toMatch(/^beckon: --to must be an address/);
  expect(await messageOf({ DATABASE_URL: NOBODY }, "--from", "postgres://u:s3cret@h/d")).toBe(
    "beckon: --from must be the path of a file.\n",
  );
});

test.each([
  ["postgres://u:s3cret@db:port/beckon", /^beckon: --to cannot be read as postgres:\/\/USER:PASSWORD@HOST/],
  ["postgres://u:s3cr#et@db/beckon", /^beckon: --to .*%23/],
  ["postgres://u:s3cret%zz@db/beckon", /^beckon: --to cannot be read as .*%25 for %\.\n$/],
  ["postgres://u:s3cret@db", /^beckon: --to names no database: /],
])("exit 2: --to is invalid, and the message does not repeat it: %s", async (to, sentence) => {
  const { code, err } = await beckon({}, "move", "--from", "test.db", "--to", to);
  expect(code).toBe(2);
  expect(err).toMatch(sentence);
  expect(err).not.toMatch(/s3cr| {4}at /);
});

test("exit 1: the source is missing, is no database, or has a newer schema; the target is not opened", async () => {
  const path = join(scratchFolder(), "test.db");
  const move = async () => {
    const { code, err } = await beckon({ DATABASE_URL: NOBODY }, "move", "--from", `file:${path}`);
    expect(code).toBe(1);
    return err;
  };
  const missing = `beckon: There is no database at ${path}. If there is one elsewhere, name it with --from.\n`;
  expect(await move()).toBe(missing);
  const plain = await beckon({ DATABASE_URL: NOBODY }, "move", "--from", path);
  expect(plain.err).toBe(missing);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, "hello ".repeat(2_000));
  expect(await move()).toBe(`beckon: ${path} is damaged, or no SQLite database.\n`);
  writeFileSync(path, "");
  expect(await move()).toBe(`beckon: ${path} is no database of Beckon.\n`);
  await beckon({ DATABASE_URL: `file:${path}` }, "migrate");
  const db = new Database(path);
  db.exec("INSERT INTO migrations VALUES ('f00d', 9000000000000, '0.9.0')");
  db.close();
  expect(await move()).toBe(`beckon: ${path} was made by a newer version of Beckon. Move it with that one.\n`);
});

test("refused: the source is of a development version; it stays unchanged, and the target is not opened", async () => {
  const path = join(scratchFolder(), "test.db");
  await beckon({ DATABASE_URL: `file:${path}` }, "migrate");
  await makeUnreleased(`file:${path}`);
  const before = readFileSync(path);
  const { code, err } = await beckon({ DATABASE_URL: NOBODY }, "move", "--from", path);
  expect([code, err]).toEqual([1, `beckon: ${unreleasedSentence(path)}\n`]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { beckon, scratchFolder } from "../../support/cli.ts";

const NOBODY = "postgres://beckon:s3cret@127.0.0.1:1/beckon";

test("exit 2 ends that are none", async () => {
  const file = `file:${join(scratchFolder(), "test.db")}`;
  const said = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const { code, err } = await beckon(env, "move", ...args);
    expect(code).toBe(2);
    return err;
  };
  expect(await said({ DATABASE_URL: file })).toMatch(/^beckon: --to: say where to, as postgres:\/\//);
  expect(await said({ DATABASE_URL: file }, "--to", "file:other.db")).toMatch(/^beckon: --to must be an address/);
  expect(await said({ DATABASE_URL: NOBODY }, "--from", "test.db")).toMatch(
    /^beckon: --from must be a SQLite database/,
  );
});

test("exit 1 a source that is missing, no database, or a newer program's: before anybody asks the target", async () => {
  const path = join(scratchFolder(), "test.db");
  const move = async () => {
    const { code, err } = await beckon({ DATABASE_URL: NOBODY }, "move", "--from", `file:${path}`);
    expect(code).toBe(1);
    return err;
  };
  expect(await move()).toBe(`beckon: There is no database at ${path}.\n`);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, "hello ".repeat(2_000));
  expect(await move()).toBe(`beckon: ${path} is damaged, or no SQLite database.\n`);
  writeFileSync(path, "");
  expect(await move()).toBe(`beckon: ${path} is no database of Beckon.\n`);
  await beckon({ DATABASE_URL: `file:${path}` }, "audit");
  const db = new Database(path);
  db.exec("INSERT INTO migrations VALUES ('f00d', 1)");
  db.close();
  expect(await move()).toBe(`beckon: ${path} was made by a newer version of Beckon. Move it with that one.\n`);
});

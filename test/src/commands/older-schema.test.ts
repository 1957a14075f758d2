import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { NEXT, withNextMigration } from "../../support/database/next-migration.ts";
import { rawQuery } from "../../support/database/raw-query.ts";
import { makeOlder } from "../../support/database/schema-ages.ts";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

withNextMigration();

let old: string;
let other: string;
beforeEach(async () => {
  const folder = scratchFolder();
  old = join(folder, "old.db");
  other = join(folder, "other.db");
  await accountIn({ DATABASE_URL: `file:${old}` }, "--email", "ann@example.com", "--name", "ann");
  await makeOlder(`file:${old}`);
});

const hashesIn = async (path: string) =>
  (await rawQuery<{ hash: string }>(`file:${path}`, "SELECT hash FROM migrations")).map(({ hash }) => hash);

test("backup: a database with an older schema is copied unchanged, and not audited", async () => {
  const { code, json } = await beckon({ DATABASE_URL: `file:${old}` }, "backup", "--to", other, "--json");
  expect([code, json.schema, json.audit]).toEqual([0, "older", null]);
  for (const path of [old, other]) expect(await hashesIn(path)).not.toContain(NEXT.hash);
});

test("restore: a backup with an older schema is migrated after the copy, and the backup itself stays unchanged", async () => {
  const before = readFileSync(old);
  const env = { DATABASE_URL: `file:${other}` };
  expect((await beckon(env, "restore", "--from", old)).code).toBe(0);
  expect(readFileSync(old).equals(before)).toBe(true);
  expect(await hashesIn(other)).toContain(NEXT.hash);
  expect((await beckon(env, "audit")).code).toBe(0);
  expect(await rawQuery(env.DATABASE_URL, "SELECT name FROM accounts")).toEqual([{ name: "ann" }]);
});

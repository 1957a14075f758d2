import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { isPostgres, sqlitePath } from "../../../db/open.ts";
import type { Command } from "../../../src/commands/command.ts";
import { commands } from "../../../src/commands/index.ts";
import { ownCommand } from "../../../src/platform/own-command.ts";
import { version } from "../../../src/platform/version.ts";
import { readDatabaseSchema } from "../../support/checks/database-schema.ts";
import { isOnPostgres, testDatabase } from "../../support/database/database.ts";
import { withNextMigration } from "../../support/database/next-migration.ts";
import { rawQuery } from "../../support/database/raw-query.ts";
import { makeOlder } from "../../support/database/schema-ages.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";

withNextMigration();

/** Commands that change the schema; that copy any schema as it is; that replace the database; and those of the client. */
const OTHERS = ["serve", "migrate", "backup", "restore", "move", "mcp", "listen"];

/** Values that satisfy each option. */
const VALUES: Readonly<Record<string, string>> = { email: "ann@example.com", credits: "5", name: "n", id: "key_1" };

/** Every other command, with the options that it cannot do without. */
const lines = commands
  .filter(({ name }) => !OTHERS.includes(name))
  .map(({ name, options }: Command) => {
    const needed = Object.keys(options).filter((option) => options[option].required || option === "email");
    return [...name.split(" "), ...needed.flatMap((option) => [`--${option}`, VALUES[option] ?? "1"])];
  });

async function database(): Promise<string> {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  return url;
}

const NEWER = "INSERT INTO migrations VALUES ('f00d', 9000000000000, '0.9.0')";

// One of each for all commands, since none of them changes it.
const [older, newer] = await Promise.all([testDatabase(), testDatabase()]);
afterAll(() => Promise.all([older.drop(), newer.drop()]));
await makeOlder(older.url);
await rawQuery(newer.url, NEWER);

/** Everything that a command could change. */
async function contents(url: string): Promise<unknown> {
  if (isPostgres(url)) return [await readDatabaseSchema(url), await rawQuery(url, "SELECT * FROM migrations")];
  const folder = dirname(sqlitePath(url));
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "base64")]);
}

const refused = async (url: string, line: readonly string[]) => {
  const { code, out, err } = await beckon({ DATABASE_URL: url, PORT: "0", SITE_URL: "http://localhost:3000" }, ...line);
  expect(code).toBe(1);
  expect(err).not.toMatch(/^ +at /m);
  return out + err;
};

test.each(lines)(
  "exit 1 %s: a database with an older schema is refused with what to do, and stays unchanged",
  async (...line) => {
    const { url } = older;
    const before = await contents(url);
    const said = await refused(url, line);
    expect(said).toContain(`has schema 1, and this version of Beckon (${version}) needs schema 2.`);
    expect(said).toContain(`Stop the service and run \`${ownCommand("migrate")}\``);
    expect(await contents(url)).toEqual(before);
  },
);

test.each(lines)("exit 1 %s: a database with a newer schema is refused, and stays unchanged", async (...line) => {
  const { url } = newer;
  const before = await contents(url);
  expect(await refused(url, line)).toContain("A newer version of Beckon (0.9.0) has changed the database");
  expect(await contents(url)).toEqual(before);
});

test.skipIf(isOnPostgres).each(lines)("exit 1 %s: a missing file is not created, nor its folder", async (...line) => {
  const folder = scratchFolder();
  const path = join(folder, "data", "beckon.db");
  const said = await refused(`file:${path}`, line);
  expect(said).toContain(`There is no database at ${path}. \`${ownCommand("migrate")}\` makes one`);
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(isOnPostgres).each([...lines, ["migrate"], ["serve"]])(
  "exit 1 %s: another program's file is refused with what to do, and stays unchanged",
  async (...line) => {
    const path = join(scratchFolder(), "other.db");
    const url = `file:${path}`;
    await rawQuery(url, "CREATE TABLE migrations (id INTEGER, name TEXT)");
    const before = await contents(url);
    expect(await refused(url, line)).toContain(
      `The file ${path} has tables of another program and none of Beckon, which leaves it as it is. Set DATABASE_URL to another file.`,
    );
    expect(await contents(url)).toEqual(before);
  },
);

test.each(["migrate", "serve"])("refused %s: a database with a newer schema", async (command) => {
  const { url } = newer;
  const before = await contents(url);
  expect(await refused(url, [command])).toContain("A newer version of Beckon (0.9.0) has changed the database");
  expect(await contents(url)).toEqual(before);
});

test("exit 0 migrate: says each step, once; a database that is empty gets the whole schema", async () => {
  const url = await database();
  await makeOlder(url);
  const env = { DATABASE_URL: url };
  const first = await beckon(env, "migrate", "--json");
  expect(first).toMatchObject({ code: 0, json: { ok: true, schema: 2 } });
  const { steps } = first.json as { steps: string[] };
  expect(steps.at(-1)).toMatch(/^Applied migration 2 of 2 in \d+ ms\.$/);
  expect(first.err).toBe(steps.map((step) => `${step}\n`).join(""));
  expect(
    await rawQuery(url, `SELECT hash FROM migrations WHERE version = '${version}' AND hash LIKE 'eee%'`),
  ).toHaveLength(1);
  const again = await beckon(env, "migrate");
  expect([again.code, again.err, again.out]).toEqual([
    0,
    "",
    expect.stringContaining("had this schema already: schema 2"),
  ]);
});

test.skipIf(isOnPostgres)(
  "a SQLite file is copied before its schema changes, and the copy is named and as it was",
  async () => {
    const url = await database();
    await makeOlder(url);
    await rawQuery(url, "INSERT INTO meta VALUES ('kept', 'yes')");
    const { json } = await beckon({ DATABASE_URL: url }, "migrate", "--json");
    const [, copy] = /^Copied the database to (\S+) \([\d,]+ bytes\) before its schema changes\.$/.exec(json.steps[0])!;
    expect(copy).toMatch(new RegExp(`^${sqlitePath(url)}\\.before-${version}\\.\\d{4}-`));
    expect(await rawQuery(`file:${copy}`, "SELECT value FROM meta WHERE name = 'kept'")).toEqual([{ value: "yes" }]);
    expect(await rawQuery(`file:${copy}`, "SELECT hash FROM migrations")).toHaveLength(1);
    // The way back, which the older version would take.
    expect((await beckon({ DATABASE_URL: url }, "restore", "--from", copy!, "--force")).code).toBe(0);
  },
);

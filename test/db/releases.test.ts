import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { readDatabaseSchema } from "../support/checks/database-schema.ts";
import { emptyDatabase } from "../support/database/empty-database.ts";
import { withNextMigration } from "../support/database/next-migration.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { makeRelease, presentRelease, type Release } from "../support/database/release.ts";

withNextMigration();

const folder = join(import.meta.dirname, "releases");
const stored = existsSync(folder) ? readdirSync(folder) : [];

/** The present version, and each released version (scripts/store-release.ts). */
const releases: readonly Release[] = [
  await presentRelease(),
  ...stored.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Release),
];

test.each(releases.map((release) => [release.version, release] as const))(
  "law: a database of %s is upgraded to the schema of a new one, and keeps every row",
  async (_, release) => {
    const url = await emptyDatabase();
    await makeRelease(url, release);
    await (await openDatabase(url)).close();
    const fresh = await emptyDatabase();
    await (await openDatabase(fresh)).close();
    expect(await readDatabaseSchema(url)).toEqual(await readDatabaseSchema(fresh));
    const rows = async ({ name }: { name: string }) => {
      const [count] = await rawQuery<{ n: number | string }>(url, `SELECT count(*) AS n FROM "${name}"`);
      return [name, Number(count!.n)];
    };
    const counted: unknown[] = [];
    for (const table of release.tables) counted.push(await rows(table));
    expect(counted).toEqual(release.tables.map(({ name, rows }) => [name, rows.length]));
  },
);

test("law: a migration of a release cannot be changed", async () => {
  const [release] = releases;
  const other = { ...release!, migrations: { sqlite: ["f00d"], pg: ["f00d"] } };
  await expect(makeRelease(await emptyDatabase(), other)).rejects.toThrow(/^A migration of [\d.]+ was changed\. /);
});

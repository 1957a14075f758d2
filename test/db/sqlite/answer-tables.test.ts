import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { sqlitePath } from "../../../db/open.ts";
import { DAY, MINUTE } from "../../../src/platform/clock.ts";
import { operations } from "../../../tools/index.ts";
import { ANSWER_TABLES } from "../../support/database/affected-accounts.ts";
import { testChecker } from "../../support/service/checker.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService();
const { request, clock } = service;
afterAll(() => service.close());

test("answers that may come from memory are read from the tables of ANSWER_TABLES, and not from their unread columns", async () => {
  const { key } = await service.account();
  const body = { urls: ["https://example.com/a", "https://example.com/b"] };
  const project: string = (await request("POST", "/projects", { key, body })).json.project.id;
  clock.pass(4 * DAY);
  await testChecker(service).checker.drain();
  const paths = operations
    .filter(({ isCacheable }) => isCacheable)
    .map(({ rest }) => rest.path.replace("{project_id}", project).replace("{link_id}", `lnk_${project.slice(4)}_1`));
  const answers = async () => {
    clock.pass(MINUTE, 0);
    const all = [];
    for (const path of paths) {
      const { status, text } = await request("GET", path, { headers: { "X-API-Key": key } });
      all.push({ path, status, text: text.replace(/"requests":\d+/, "") });
    }
    return all;
  };
  const before = await answers();
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
  const bare = new Database(sqlitePath(service.database));
  for (const [table, { unread = [] }] of Object.entries(ANSWER_TABLES))
    for (const column of unread) bare.exec(`UPDATE ${table} SET ${column} = 12345`);
  const tables = bare.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const others = (tables.pluck().all() as string[]).filter((name) => !Object.hasOwn(ANSWER_TABLES, name));
  expect(others).toContain("sites");
  for (const name of others) bare.exec(`ALTER TABLE "${name}" RENAME TO "${name}_gone"`);
  const after = await answers();
  for (const name of others) bare.exec(`ALTER TABLE "${name}_gone" RENAME TO "${name}"`);
  bare.close();
  expect(after).toEqual(before);
});

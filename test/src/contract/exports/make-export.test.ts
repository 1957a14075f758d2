import { afterAll, expect, test } from "vitest";
import { COVERAGE } from "../../../../src/contract/exports/coverage.ts";
import { makeExport } from "../../../../src/contract/exports/make-export.ts";
import { SECTIONS } from "../../../../src/contract/exports/sections.ts";
import { columnsOf } from "../../../../src/contract/shapes/columns.ts";
import { Watch, WatchRun } from "../../../../src/contract/shapes/watched-sitemap.ts";
import { Webhook } from "../../../../src/contract/shapes/webhook.ts";
import { exportOf, requestExport } from "../../../../src/domain/exports/exports.ts";
import { fileOf } from "../../../../src/domain/exports/file.ts";
import { claimExport } from "../../../../src/domain/exports/lease.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { asOwner } from "../../../support/database/people.ts";
import { testService } from "../../../support/service/service.ts";
import { unzip } from "../../../support/service/unzip.ts";
import { giveFactors } from "../../../support/website/factors.ts";
import { exampleAccount } from "../../../support/website/pages/example-account.ts";

const service = await testService();
const { db, clock, config } = service;
afterAll(() => service.close());

/** Tells nobody. */
const TELL = async () => undefined;

const mine = await exampleAccount(service, "ann@example.com");
const other = await exampleAccount(service, "bob@elsewhere.example");
for (const { accountId } of [mine, other]) await giveFactors(service, secretBoxOf(config), accountId);
const archive = await exported(mine.accountId);
const files = unzip(archive);

/** Requests an export, makes it, and reads its file. */
async function exported(accountId: string): Promise<Buffer> {
  await db.tx(async (tx) => requestExport(tx, await asOwner(tx, accountId), clock.now()));
  const held = (await claimExport(db, "test", clock.now()))!;
  await makeExport({ db, clock, config }, held, new AbortController().signal, TELL);
  const row = (await exportOf(db, accountId, clock.now()))!;
  const pieces = [];
  for await (const piece of fileOf(db, row)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const recordsOf = (name: string) => JSON.parse(files.get(`json/${name}.json`)!) as Record<string, unknown>[];
const rowsOf = (name: string) => files.get(`csv/${name}.csv`)!.trimEnd().split("\r\n").slice(1);

test("law: every table is in a section, or left out with a reason; every section is of a table", () => {
  const sections = Object.values(COVERAGE).flatMap((covered) => ("section" in covered ? [covered.section] : []));
  expect([...new Set(sections)].sort()).toEqual(Object.keys(SECTIONS).sort());
  expect(Object.keys(COVERAGE).sort()).toEqual(Object.keys(db.t).sort());
});

test("each section is a file of JSON and one of CSV, with the same records; a file explains them", () => {
  const names = Object.keys(SECTIONS);
  const expected = [...names.map((name) => `json/${name}.json`), ...names.map((name) => `csv/${name}.csv`)];
  expect([...files.keys()]).toEqual(["README.txt", ...expected]);
  for (const name of names) expect(rowsOf(name).length, name).toBe(recordsOf(name).length);
  for (const name of names) expect(files.get("README.txt")).toContain(`\n${name}: `);
  expect(files.get("README.txt")).toContain("accessTokens: it holds secrets, or hashes of secrets.");
});

test("every column of the CSV is a field of its records", () => {
  for (const [name, { columns }] of Object.entries(SECTIONS)) {
    const fields = new Set(recordsOf(name).flatMap((record) => Object.keys(record)));
    for (const column of recordsOf(name).length > 0 ? columns : [])
      expect(fields, `${name}.${column}`).toContain(column.split(".")[0]);
  }
});

test("it holds what the account holds", async () => {
  expect(recordsOf("account")).toMatchObject([{ id: mine.accountId, email: "ann@example.com" }]);
  expect(
    recordsOf("projects")
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.values(mine.projects).sort());
  expect(recordsOf("links")).toHaveLength(120 + 280 + 60 + 45 + 24 + 32);
  expect(recordsOf("links").some(({ checks }) => (checks as object[]).length > 0)).toBe(true);
  expect(recordsOf("ledger").at(-1)?.balance_after).toBe(recordsOf("account")[0]!.credits);
  for (const name of ["orders", "sites", "api_keys", "connections", "sessions", "passkeys", "security_log", "usage"])
    expect(recordsOf(name).length, name).toBeGreaterThan(0);
});

test("webhooks, watches and their runs have the fields that the API shows", () => {
  for (const [name, shape] of [
    ["webhooks", Webhook],
    ["watches", Watch],
    ["watch_runs", WatchRun],
  ] as const) {
    expect(recordsOf(name).length, name).toBeGreaterThan(0);
    for (const { watch_id: _, ...record } of recordsOf(name)) {
      expect(Object.keys(record)).toEqual(Object.keys(shape.shape));
    }
    const [header] = files.get(`csv/${name}.csv`)!.split("\r\n");
    for (const column of columnsOf(shape)) expect(header!.split(",")).toContain(`"${column}"`);
  }
});

test("law: no secret and no hash of one is in it", async () => {
  const text = [...files.values()].join("\n");
  let values = 0;
  for (const [name, table] of Object.entries(db.t)) {
    for (const row of await db.q.select().from(table as never)) {
      for (const [column, value] of Object.entries(row as Record<string, unknown>)) {
        if (
          !/hash|secret|publicKey|credentialId|jwk|challenge|digest/i.test(column) ||
          typeof value !== "string" ||
          value === ""
        )
          continue;
        values += 1;
        expect(text.includes(value), `${name}.${column}`).toBe(false);
      }
    }
  }
  expect(values).toBeGreaterThan(10);
  expect(text).not.toMatch(/bk_test_|beckon_[ar]t_|ses_[\w-]{43}|lnk_[\w-]{43}|\$argon2/);
});

test("law: nothing of another account is in it", async () => {
  const text = [...files.values()].join("\n");
  const ids = [other.accountId, other.email, ...Object.values(other.projects)];
  for (const id of ids) expect(text.includes(id), id).toBe(false);
  const links = recordsOf("links").map(({ project_id }) => project_id);
  expect(new Set(links)).toEqual(new Set(Object.values(mine.projects)));
});

test("cells that a spreadsheet would take for formulas have an apostrophe", async () => {
  const { accountId } = mine;
  const { securityEvents } = db.t;
  const event = { accountId, at: clock.now(), kind: "signed_in", subject: "=cmd()", ip: null };
  await db.tx((tx) => tx.q.insert(securityEvents).values(event));
  const log = unzip(await exported(accountId)).get("csv/security_log.csv")!;
  expect(log).toContain(',"signed_in","\'=cmd()",');
});

test("a stop ends it after the piece under way, and throws the reason", async () => {
  await db.tx(async (tx) => requestExport(tx, await asOwner(tx, other.accountId), clock.now()));
  const held = (await claimExport(db, "test", clock.now()))!;
  const stopped = AbortSignal.abort(new Error("stopping"));
  await expect(makeExport({ db, clock, config }, held, stopped, TELL)).rejects.toThrow("stopping");
});

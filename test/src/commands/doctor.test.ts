import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { HOUR } from "../../../src/platform/clock.ts";
import { checkNode } from "../../../src/process/doctor/machine.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";
import { sealIn } from "../../support/website/factors.ts";

let path: string;
let env: { DATABASE_URL: string; PORT: string };
beforeEach(async () => {
  path = join(scratchFolder(), "test.db");
  env = { DATABASE_URL: `file:${path}`, PORT: "0" };
  await beckon(env, "migrate");
  await beckon(env, "account", "create", "--email", "ann@example.com", "--paid");
});

test("exit 0: everything is in order; prints one line each", async () => {
  const { code, out } = await beckon(env, "doctor");
  expect(code).toBe(0);
  const names = [
    "Node.js",
    "Settings",
    "Database",
    "Version",
    "Server",
    "Time",
    "Nodes",
    "Mode",
    "Clock",
    "Disk",
    "Work",
    "Waiting mail",
    "Deliveries",
    "Engines",
    "Providers",
    "Cards",
    "Direct payment",
    "Settlement",
    "Books",
    "Secrets",
    "Mail",
    "Port",
    "Proxies",
  ];
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => line.split(":")[0]),
  ).toEqual(names.map((name) => `✓ ${name}`));
  expect((await beckon(env, "doctor", "--json")).json).toMatchObject({ ok: true, checks: { length: 23 } });
});

test.each([
  ["Books", "UPDATE accounts SET credits = 1"],
  ["Database", "INSERT INTO migrations VALUES ('f00d', 9000000000000, '0.9.0')"],
  ["Cards", "INSERT INTO card_events VALUES ('evt_1', 'x', NULL, 'Its amount is 1, and the order''s 999.', 9e12)"],
  ["Providers", "INSERT INTO providers (name, failures, reason) VALUES ('x', 3, 'timeout')"],
  ["Clock", `UPDATE meta SET value = '{"realAt":${Date.now() + HOUR},"serviceAt":0,"scale":1}' WHERE name = 'clock'`],
  [
    "Waiting mail",
    "INSERT INTO mail_queue (id, sealed_mail, created_at, tries, next_at) VALUES ('mail_1', '', 0, 0, 1000)",
  ],
  [
    "Deliveries",
    "INSERT INTO webhook_deliveries (webhook_id, account_id, event_no, status, attempts, tries, next_at, created_at) VALUES ('wh_1', 'acc_1', 1, 0, '[]', 0, 1000, 0)",
  ],
  ["Deliveries", "UPDATE events SET queued_at = 1000"],
  [
    "Work",
    "INSERT INTO steps (bucket, project_no, lane, action, look, negatives, tries, available_ms, priority, due_at, first, members, size) VALUES (0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, x'01', 1)",
  ],
])("exit 1: %s is not in order; says what to do", async (name, sql) => {
  const db = new Database(path);
  db.exec(sql);
  db.close();
  const { code, out } = await beckon(env, "doctor");
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`^✗ ${name}: .+\\n {4}→ .+`, "m"));
});

test("exit 0: a provider that refuses one site is in order", async () => {
  const db = new Database(path);
  db.exec(`INSERT INTO providers (name, failures, reason) VALUES ('indexnow_bing a.example/k.txt', 9, 'key_refused')`);
  db.close();
  expect((await beckon(env, "doctor")).out).toContain("✓ Providers: none is failing");
});

test("exit 1: the database cannot be opened, since it is a folder or in a missing folder", async () => {
  const folder = scratchFolder();
  const { code, out } = await beckon({ ...env, DATABASE_URL: `file:${folder}` }, "doctor");
  expect(code).toBe(1);
  expect(out).toContain(
    `✗ Database: ${folder} is a folder, not a file.\n    → Follow the message, or correct DATABASE_URL.\n`,
  );
  const below = await beckon({ ...env, DATABASE_URL: `file:${path}/x/y.db` }, "doctor");
  expect(below.out).toContain(`✗ Database: There is no database at ${path}/x/y.db. `);
});

test("exit 1: PostgreSQL does not answer; prints the reason and what to check, never the password", async () => {
  const away = { ...env, DATABASE_URL: "postgres://beckon:s3cret@127.0.0.1:1/beckon" };
  const { code, out, err } = await beckon(away, "doctor");
  expect([code, err]).toEqual([1, ""]);
  expect(out).toMatch(
    /^✗ Database: DATABASE_URL, PostgreSQL at 127\.0\.0\.1:1: PostgreSQL does not answer: the connection was refused\.\n {4}→ Check that PostgreSQL runs and that this machine can reach it, /m,
  );
  expect(out).not.toContain("s3cret");
});

test("exit 1: a sealed secret cannot be opened, since the key is another one; says which, and what to do", async () => {
  const [right, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];
  const { json } = await beckon(env, "account", "create", "--email", "eve@example.com", "--json");
  await sealIn({ ...env, SECRETS_KEY: right }, json.account.id);
  const wrong = await beckon({ ...env, SECRETS_KEY: other }, "doctor");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toMatch(
    /^✗ Secrets: cannot be opened: authenticator_apps per_\w+: .+\n {4}→ Set SECRETS_KEY to the key/m,
  );
  expect(wrong.out).not.toContain(right);
  const both = await beckon({ ...env, SECRETS_KEY: `${other},${right}` }, "doctor");
  expect([both.code, both.out]).toEqual([0, expect.stringContaining("1 with the old key, which is still needed")]);
  const good = await beckon({ ...env, SECRETS_KEY: right }, "doctor");
  expect([good.code, good.out]).toEqual([0, expect.stringContaining("✓ Secrets: 1 sealed secret can be opened")]);
});

test("exit 1: another program uses the port", async () => {
  const server = createServer((_, res) => res.end("{}")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const { code, out } = await beckon({ ...env, PORT: String(port) }, "doctor");
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ Port: .+not this service\n {4}→ .+/m);
});

test.each([
  ["20.20.2", false],
  ["22.14.0", false],
  ["22.15.0", true],
  ["24.0.0", true],
])("Node.js %s: %s", (version, ok) => {
  expect(checkNode(version).ok).toBe(ok);
});

import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { cacheStatements } from "../../../db/sqlite/statements.ts";

function opened() {
  const connection = new Database(":memory:");
  connection.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  return cacheStatements(connection);
}

test("a text is prepared once", () => {
  const connection = opened();
  expect(connection.prepare("SELECT a FROM t")).toBe(connection.prepare("SELECT a FROM t"));
});

test("law: rows are objects unless arrays are requested, whatever earlier calls requested", () => {
  const connection = opened();
  expect(connection.prepare("SELECT a FROM t").raw().all()).toEqual([[1]]);
  expect(connection.prepare("SELECT a FROM t").all()).toEqual([{ a: 1 }]);
  // What changes rows has none, and is kept as well.
  for (const _ of [1, 2]) expect(connection.prepare("UPDATE t SET a = 1").run().changes).toBe(1);
});

test("law: the 300 statements used last are kept, and a dropped one still works", () => {
  const connection = opened();
  const [first, second] = [1, 2].map((n) => connection.prepare(`SELECT ${n} AS a`));
  for (let n = 3; n <= 300; n++) connection.prepare(`SELECT ${n} AS a`);
  connection.prepare("SELECT 1 AS a");
  connection.prepare("SELECT 301 AS a");
  expect(connection.prepare("SELECT 1 AS a")).toBe(first);
  expect(connection.prepare("SELECT 2 AS a")).not.toBe(second);
  expect(second!.get()).toEqual({ a: 2 });
});

test("a kept statement sees changes of the schema", () => {
  const connection = opened();
  expect(connection.prepare("SELECT * FROM t").get()).toEqual({ a: 1 });
  connection.exec("ALTER TABLE t ADD COLUMN b DEFAULT 2");
  expect(connection.prepare("SELECT * FROM t").get()).toEqual({ a: 1, b: 2 });
});

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { scratchFolder } from "../../../support/service/cli.ts";

const FIELD = { table: "t", row: "1", column: "c" };
const sandboxIn = (folder: string, env: NodeJS.ProcessEnv = {}) =>
  readConfig({ DATABASE_URL: `file:${join(folder, "test.db")}`, ...env });

test("a sandbox makes a key in the folder of its database, which only its owner can read, and uses it again", () => {
  const folder = scratchFolder();
  const box = secretBoxOf(sandboxIn(folder));
  expect(readdirSync(folder)).toEqual([]);
  const sealed = box.seal("text", FIELD);
  expect(readdirSync(folder)).toEqual(["secrets-key"]);
  expect(statSync(join(folder, "secrets-key")).mode & 0o777).toBe(0o600);
  expect(secretBoxOf(sandboxIn(folder)).open(sealed, FIELD)).toBe("text");
});

test("SECRETS_KEY is used instead of the file", () => {
  const folder = scratchFolder();
  const key = Buffer.alloc(32, 3).toString("base64");
  const sealed = secretBoxOf(sandboxIn(folder, { SECRETS_KEY: key })).seal("text", FIELD);
  expect(readdirSync(folder)).toEqual([]);
  expect(secretBoxOf(sandboxIn(scratchFolder(), { SECRETS_KEY: key })).open(sealed, FIELD)).toBe("text");
});

test("a file that holds no key is refused and left as it is", () => {
  const folder = scratchFolder();
  const file = join(folder, "secrets-key");
  writeFileSync(file, "half a k");
  expect(() => secretBoxOf(sandboxIn(folder)).seal("text", FIELD)).toThrow(`${file} holds no key of 32 bytes`);
  expect(readFileSync(file, "utf8")).toBe("half a k");
});

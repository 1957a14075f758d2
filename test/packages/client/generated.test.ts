import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OperationRow } from "../../../packages/client/src/call-options.ts";
import { BeckonError, type ErrorCode } from "../../../packages/client/src/error.ts";
import { FIELDS } from "../../../packages/client/src/generated/fields.ts";
import { OPERATIONS } from "../../../packages/client/src/generated/operations.ts";
import { waitBeforeRetry } from "../../../packages/client/src/retry.ts";
import { updateClient } from "../../../scripts/client-types.ts";
import { ERRORS } from "../../../src/platform/errors/errors.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { operations } from "../../../tools/index.ts";
import { sourcesIn } from "../../support/checks/imports.ts";

const rows = Object.values(OPERATIONS);
const read = (path: string) => JSON.parse(readFileSync(join(packageRoot, path), "utf8"));

test("the generated files say what the operations say, and name each of them", () => {
  expect(updateClient(true)).toEqual([]);
  expect(rows.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
  expect(Object.keys(FIELDS)).toEqual(Object.keys(OPERATIONS));
});

test("the package has no dependencies, and the version and the licence of the service", () => {
  const manifest = read("packages/client/package.json");
  expect(manifest.version).toBe(read("package.json").version);
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/dependencies/i)]));
  const [own, ours] = ["packages/client/LICENSE", "LICENSE"].map((path) =>
    readFileSync(join(packageRoot, path), "utf8"),
  );
  expect(own).toBe(ours);
});

test("what browsers load imports nothing of Node", () => {
  const files = sourcesIn("packages/client/src").filter(({ path }) => !/\/cli\/|\/main\.ts$/.test(path));
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter(({ text }) => /"node:|\bprocess\.|\bBuffer\b/.test(text)).map(({ path }) => path)).toEqual([]);
});

const spending = rows.find(({ name }) => name === "submit_urls") as OperationRow;

test.each(Object.entries(ERRORS))(
  "%s is repeated where its remedy says so, and else not",
  (code, { remedy, status }) => {
    const wait = waitBeforeRetry(new BeckonError(code as ErrorCode, "No.", { status }), 0, spending, false);
    expect(wait !== null).toBe(/Retry-After|^Repeat the call with the same/.test(remedy));
  },
);
